// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that a command has not, before LLVM's parser sees them: it would say
// little of them.
#ifndef KPIPE_TOOL_OPTIONS_UNKNOWNOPTIONS_H
#define KPIPE_TOOL_OPTIONS_UNKNOWNOPTIONS_H

#include "Commands.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace kpipe {

/// An error that says what may be meant by the first word that is an option, and
/// none of Command's.
/// \param Words behind the command's name.
/// \param Help what is said where nothing is near.
llvm::Error checkOptions(llvm::cl::SubCommand &Command,
                         llvm::ArrayRef<llvm::cl::SubCommand *> Commands,
                         llvm::ArrayRef<const char *> Words,
                         llvm::StringRef Help);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_UNKNOWNOPTIONS_H
