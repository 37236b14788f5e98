// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `for (…) if (…) {`, `for (…) a[i] = b[i];`: where a line has no room for
// both, what the loop repeats gets one of its own, as a person would write it.
#ifndef KPIPE_TOOL_REWRITE_LOOPTAILS_H
#define KPIPE_TOOL_REWRITE_LOOPTAILS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// \param IsTooLong of a line, with its end.
/// \returns the text with such lines in two, and what belongs to the
/// second indented once more. Only white space differs.
std::string
tailsBelowLoops(llvm::StringRef Text,
                llvm::function_ref<bool(llvm::StringRef)> IsTooLong);

} // namespace kpipe

#endif // KPIPE_TOOL_REWRITE_LOOPTAILS_H
