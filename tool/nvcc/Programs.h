// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs behind nvcc: it compiles nothing itself, and each of the others
// can be exchanged without it. It must not know what is made of them.
#ifndef KPIPE_TOOL_NVCC_PROGRAMS_H
#define KPIPE_TOOL_NVCC_PROGRAMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace kpipe {

/// A file with its size and when it changed; "-" behind its name: none.
std::string identityOf(llvm::StringRef File);

/// What decides what nvcc makes of a text, beside text and flags: nvcc, the
/// programs that `nvcc --dryrun` says it would run (cicc, ptxas, the host's
/// preprocessor), its profile and libdevice, each with size and time.
/// \param Compilation nvcc's command line.
/// \param Scratch a file for output, overwritten.
/// \param Seconds that nvcc gets to answer.
std::vector<std::string> programsBehind(llvm::ArrayRef<std::string> Compilation,
                                        llvm::StringRef Scratch,
                                        double Seconds);

} // namespace kpipe

#endif // KPIPE_TOOL_NVCC_PROGRAMS_H
