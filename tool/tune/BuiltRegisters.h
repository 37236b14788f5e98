// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ptxas says in the log of a build, and which forms it rules out. It must
// not know how builds are run.
#ifndef KPIPE_TOOL_TUNE_BUILTREGISTERS_H
#define KPIPE_TOOL_TUNE_BUILTREGISTERS_H

#include "options/Profile.h"
#include "llvm/ADT/StringRef.h"

namespace kpipe {

/// "NAME=value" for a build's environment: has nvcc, where the build runs one,
/// say what kernels take.
std::string askForResourceUse();

/// Why a form cannot win that was built, one clause: it spills registers that
/// the original does not, or keeps too few blocks on an SM (docs/registers.md).
/// Empty: it may win, or the logs do not say.
/// \param Original log of its build.
/// \param Log of the form's.
std::string whyNotByRegisters(const MadeForm &Form, llvm::StringRef Arch,
                              llvm::StringRef Original, llvm::StringRef Log);

} // namespace kpipe

#endif // KPIPE_TOOL_TUNE_BUILTREGISTERS_H
