// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that end the program: one line on standard error, exit code 1.
#ifndef KPIPE_TOOL_SUPPORT_FAILURE_H
#define KPIPE_TOOL_SUPPORT_FAILURE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// Makes an error of one line.
llvm::Error optionError(const llvm::Twine &Message);

/// Prints "kpipe: error: …" and gives the exit code for it.
int fail(llvm::Error Why);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_FAILURE_H
