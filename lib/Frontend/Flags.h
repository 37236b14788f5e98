// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments that Clang's driver gets for one file. Private to the front
// end.
#ifndef KPIPE_LIB_FRONTEND_FLAGS_H
#define KPIPE_LIB_FRONTEND_FLAGS_H

#include "kpipe/Frontend.h"

namespace kpipe {

struct CommandLine {
  /// argv for Clang's driver, program name first, the file last.
  std::vector<std::string> Arguments;
  /// Options of nvcc's, in its words, that decide what code it makes.
  std::vector<std::string> CodeFlags;
  /// Folder that relative paths start from; empty means the process's own.
  std::string Directory;
  /// The file's name as Arguments has it.
  std::string File;
  /// Flags of the user's or the compile database's that are not known to any
  /// compiler and were left out.
  std::vector<std::string> UnknownFlags;
  /// Clang's resource directory.
  std::string ResourceDir;
  /// No toolkit: kpipe's own declarations are parsed.
  bool OwnDeclarations = false;
};

/// \returns the arguments for one device pass over File, or an error whose
/// message is one line with the cure.
llvm::Expected<CommandLine> makeCommandLine(llvm::StringRef File,
                                            llvm::StringRef Arch,
                                            const FrontendOptions &Options);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_FLAGS_H
