// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's programs: where they are, and what they print. It must not know what
// for.
#ifndef KPIPE_TOOL_NVCC_TOOLCHAIN_H
#define KPIPE_TOOL_NVCC_TOOLCHAIN_H

#include "support/Command.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kpipe {

/// Paths of programs; empty: there is none.
struct Toolchain {
  std::string Nvcc;
  /// nvdisasm, or else a cuobjdump that can call one.
  std::string Disassembler;
  bool IsCuobjdump = false;
};

/// Looks for each program in the toolkit that --cuda-path names, on PATH, in
/// $CUDA_PATH, in /usr/local/cuda, where bootstrap.sh puts a disassembler beside
/// the build that kpipe is in, and in the folders into which pip puts
/// NVIDIA's wheels and Triton: those of $VIRTUAL_ENV, of kpipe itself, of the
/// python3 on PATH and of the user.
/// \param CudaPath a toolkit's root; empty: none was named. nvcc is taken from
/// nowhere else.
/// \param Program argv[0].
Toolchain findToolchain(llvm::StringRef CudaPath, llvm::StringRef Program);

/// Seconds that nvcc gets for a text: 600, or what $KPIPE_NVCC_TIMEOUT says.
/// \returns an error of one line where that is no number.
llvm::Expected<double> nvccLimit();

/// What a program printed; both streams, as they came.
struct ToolResult {
  int Status = 0;
  std::string Output;
};

/// Runs a program and waits for it.
/// \param Words its path and its arguments.
/// \param Scratch a file for its output, overwritten.
/// \param Seconds its time limit.
/// \returns an error of one line if it could not be run, ran past the limit, or
/// if the user interrupted kpipe meanwhile (see InterruptScope).
llvm::Expected<ToolResult> runTool(std::vector<std::string> Words,
                                   llvm::StringRef Scratch,
                                   double Seconds = NoLimit);

} // namespace kpipe

#endif // KPIPE_TOOL_NVCC_TOOLCHAIN_H
