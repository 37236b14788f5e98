// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From nvcc's command line to Clang's, as far as it says how a file reads.
// Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_NVCCFLAGS_H
#define KPIPE_LIB_FRONTEND_NVCCFLAGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace kpipe {

struct TranslatedFlags {
  /// Flags for Clang, without program and input.
  std::vector<std::string> Flags;
  /// In nvcc's words: what else decides what code it makes, and whether.
  std::vector<std::string> Code;
  /// Options that neither nvcc nor its host compiler is known to have; they
  /// were left out.
  std::vector<std::string> Unknown;
};

/// Translates nvcc's arguments. NvccOptions.td says which options there are.
/// \param Arguments without the program.
/// \param Directory where names of option files are relative to.
/// \returns an error of one line if an option file cannot be read.
llvm::Expected<TranslatedFlags>
translateNvccFlags(llvm::ArrayRef<std::string> Arguments,
                   llvm::StringRef Directory);

/// Does an argument make sense to nvcc only? `-gencode` does, `-I` does not.
bool isNvccOnly(llvm::StringRef Argument);

/// Is the program of a compile command nvcc?
bool isNvcc(llvm::StringRef Program);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_NVCCFLAGS_H
