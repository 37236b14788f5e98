// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (…) if (…) {`: where a line has no room for both, the `if` gets one of
// its own, as a person would write it.
#ifndef KPIPE_TOOL_REWRITE_LOOPIFS_H
#define KPIPE_TOOL_REWRITE_LOOPIFS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// \param IsTooLong of a line, with its end.
/// \returns the text with such lines in two, and what belongs to the `if`
/// indented once more. Only white space differs.
std::string ifsBelowLoops(llvm::StringRef Text,
                          llvm::function_ref<bool(llvm::StringRef)> IsTooLong);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_LOOPIFS_H
