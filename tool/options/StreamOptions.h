// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options for what is said on the way and how it looks, and standard input as a
// file.
#ifndef KPIPE_TOOL_OPTIONS_STREAMOPTIONS_H
#define KPIPE_TOOL_OPTIONS_STREAMOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace kpipe {

/// Whether diagnostics are coloured. Has progress shown where that is asked for.
/// \returns an error of one line when a value is none.
llvm::Expected<bool> readStreamOptions();

/// The text of standard input, if one of the files is "-".
/// \returns an error of one line when it cannot be read, or where a command
/// does not take it.
llvm::Expected<std::optional<std::string>>
readStandardInput(llvm::ArrayRef<std::string> Files);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_STREAMOPTIONS_H
