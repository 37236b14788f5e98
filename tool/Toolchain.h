// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's programs: where they are, running them, a folder for what they make.
// It must not know what is verified.
#ifndef KPIPE_TOOL_TOOLCHAIN_H
#define KPIPE_TOOL_TOOLCHAIN_H

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
/// $CUDA_PATH, in /usr/local/cuda, and in the folders into which pip puts
/// NVIDIA's wheels and Triton: those of $VIRTUAL_ENV, of kpipe itself, of the
/// python3 on PATH and of the user.
/// \param CudaPath a toolkit's root; empty: none was named. nvcc is taken from
/// nowhere else.
/// \param Program argv[0].
Toolchain findToolchain(llvm::StringRef CudaPath, llvm::StringRef Program);

/// A folder of its own that goes away with its contents.
class TemporaryFolder {
public:
  /// \returns an error of one line, with the cure, if there can be none.
  static llvm::Expected<TemporaryFolder> make();
  TemporaryFolder(TemporaryFolder &&Other) : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  ~TemporaryFolder();

  /// The path of a file in it.
  std::string file(llvm::StringRef Name) const;

private:
  explicit TemporaryFolder(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
};

/// What a program printed; both streams, as they came.
struct ToolResult {
  int Status = 0;
  std::string Output;
};

/// Runs a program and waits for it.
/// \param Scratch a file for its output, overwritten.
/// \returns an error of one line if it could not be run, or if the user
/// interrupted kpipe meanwhile.
llvm::Expected<ToolResult> runTool(llvm::StringRef Program,
                                   llvm::ArrayRef<std::string> Arguments,
                                   llvm::StringRef Scratch);

/// Asks that an interrupt (Ctrl-C) lets the program clean up: what runs is
/// ended, and the next runTool is an error.
void catchInterrupts();

/// A command as it could be typed into a shell.
std::string commandLine(llvm::StringRef Program,
                        llvm::ArrayRef<std::string> Arguments);

} // namespace kpipe

#endif // KPIPE_TOOL_TOOLCHAIN_H
