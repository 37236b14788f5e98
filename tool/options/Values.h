// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of options that are more than a word.
#ifndef KPIPE_TOOL_OPTIONS_VALUES_H
#define KPIPE_TOOL_OPTIONS_VALUES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>

namespace kpipe {

/// An error of one line where the text is no regular expression.
llvm::Error checkRegex(llvm::StringRef Option, llvm::StringRef Text);

/// Threads of a block as `X[,Y[,Z]]`.
llvm::Expected<std::array<unsigned, 3>> parseBlock(llvm::StringRef Text);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_VALUES_H
