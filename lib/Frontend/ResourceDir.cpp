// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A LibTooling program outside LLVM's folder does not find stddef.h by itself;
// this file looks where it can be. It must not know CUDA.
#include "ResourceDir.h"
#include "Embedded.h"
#include "clang/Basic/Version.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace kpipe {

static bool holdsHeaders(llvm::StringRef Dir) {
  llvm::SmallString<256> Probe(Dir);
  llvm::sys::path::append(Probe, "include", "__clang_cuda_builtin_vars.h");
  return llvm::sys::fs::exists(Probe);
}

std::string findResourceDir(llvm::StringRef Program) {
  // An address inside the program lets the system tell its path even when
  // argv[0] is a bare name found through PATH.
  static int Anchor;
  std::string Executable = llvm::sys::fs::getMainExecutable(
      Program.str().c_str(), static_cast<void *>(&Anchor));
  llvm::StringRef Bin = llvm::sys::path::parent_path(Executable);
  for (llvm::StringRef Lib :
       {"../lib/clang", "../lib/llvm-" CLANG_VERSION_MAJOR_STRING "/lib/clang",
        "../share/kpipe/clang"}) {
    llvm::SmallString<256> Dir(Bin);
    llvm::sys::path::append(Dir, Lib, CLANG_VERSION_MAJOR_STRING);
    llvm::sys::path::remove_dots(Dir, /*remove_dot_dot=*/true);
    if (holdsHeaders(Dir))
      return Dir.str().str();
  }
  if (holdsHeaders(KPIPE_RESOURCE_DIR))
    return KPIPE_RESOURCE_DIR;
#ifdef KPIPE_EMBEDDED_RESOURCES
  return EmbeddedResourceDir.str();
#else
  return "";
#endif
}

} // namespace kpipe
