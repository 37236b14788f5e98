// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words as a POSIX shell takes them. It must not run anything.
#ifndef KPIPE_TOOL_SUPPORT_SHELLWORDS_H
#define KPIPE_TOOL_SUPPORT_SHELLWORDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace kpipe {

/// A word, in quotes only where the shell would not take it as it is.
std::string shellWord(llvm::StringRef Word);

/// A command as it could be typed into a shell.
std::string shellLine(llvm::ArrayRef<std::string> Words);

} // namespace kpipe

#endif // KPIPE_TOOL_SUPPORT_SHELLWORDS_H
