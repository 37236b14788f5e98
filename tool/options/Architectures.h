// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architectures that a file is planned for: how people and build systems
// spell them, and which they are where nobody says. It must not know what
// depends on them.
#ifndef KPIPE_TOOL_OPTIONS_ARCHITECTURES_H
#define KPIPE_TOOL_OPTIONS_ARCHITECTURES_H

#include "kpipe/Frontend.h"

namespace kpipe {

/// Reads what stands behind --arch= and in `.kpipe` files: "sm_86", or as
/// CMake's CUDA_ARCHITECTURES has it "90;86-real;90a", or "native".
/// \returns the names in the form "sm_86", each once, in their order; an error
/// of one line when one is unknown.
llvm::Expected<std::vector<std::string>>
readArchs(llvm::ArrayRef<std::string> Written);

/// Those of a file for which nobody names any: what its flags or its entry in
/// the compile database compile for, else the GPUs of this machine.
/// \returns an error of one line, with the cure, when neither says anything.
llvm::Expected<std::vector<std::string>>
defaultArchs(llvm::StringRef File, const FrontendOptions &Options);

} // namespace kpipe

#endif // KPIPE_TOOL_OPTIONS_ARCHITECTURES_H
