// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of --flags-file. It must not know what a flag means.
#ifndef KPIPE_TOOL_OPTIONS_FLAGSFILE_H
#define KPIPE_TOOL_OPTIONS_FLAGSFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kpipe {

/// The flags in a file, one a line; CMake writes groups of words as `SHELL:…`.
/// \param Path empty: there are none.
/// \returns an error of one line when it cannot be read.
llvm::Expected<std::vector<std::string>> readFlagsFile(llvm::StringRef Path);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_FLAGSFILE_H
