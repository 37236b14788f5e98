// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a text becomes a cubin: the command line, and what to make of what was
// printed. It must not know what the cubin is for.
#ifndef KPIPE_TOOL_NVCC_CUBIN_H
#define KPIPE_TOOL_NVCC_CUBIN_H

#include "Toolchain.h"

namespace kpipe {

struct CubinRequest {
  std::string Source; ///< file
  std::string Arch, Cubin;
  /// For nvcc; what says for which architecture or to what output is left out.
  std::vector<std::string> Flags;
  /// Where quoted includes are looked for besides the file's own folder; for a
  /// text that stands elsewhere than it will. May be empty.
  std::string IncludeFolder;
  /// With the runtime's headers, see writeRuntime().
  std::string RuntimeFolder;
};

/// nvcc with its arguments. ptxas says what kernels use (parseResourceUse).
std::vector<std::string> cubinCommand(const Toolchain &Tools,
                                      const CubinRequest &Request);

/// What lists the machine code of a cubin, for sass::parseListing().
std::vector<std::string> listingCommand(const Toolchain &Tools,
                                        const std::string &Cubin);

/// One line of what a program printed that failed.
std::string complaint(llvm::StringRef Output);

/// "V13.0.88" of what `nvcc --version` prints.
std::string versionOf(llvm::StringRef Nvcc, llvm::StringRef Scratch);

/// Puts the runtime's headers, which travel inside the program, into a folder.
llvm::Error writeRuntime(llvm::StringRef Folder);

/// Of the arguments that Clang's driver was given those that nvcc needs as
/// well: where includes are, names, the language.
/// \param Directory where relative folders are; empty: here.
std::vector<std::string> forNvcc(llvm::ArrayRef<std::string> ClangArguments,
                                 llvm::StringRef Directory = "");

} // namespace kpipe

#endif // KPIPE_TOOL_NVCC_CUBIN_H
