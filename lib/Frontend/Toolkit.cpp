// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for a CUDA toolkit's headers. Only the headers are wanted: nvcc itself
// and libdevice may be missing. It must not know Clang.
#include "Toolkit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace kpipe {

static bool holdsToolkit(llvm::StringRef Root) {
  for (llvm::StringRef Header : {"cuda.h", "cuda_runtime.h"}) {
    llvm::SmallString<256> Probe(Root);
    llvm::sys::path::append(Probe, "include", Header);
    if (!llvm::sys::fs::exists(Probe))
      return false;
  }
  return true;
}

/// The root above the nvcc on PATH, through symbolic links; empty without one.
static std::string rootOfNvcc() {
  llvm::ErrorOr<std::string> Nvcc = llvm::sys::findProgramByName("nvcc");
  if (!Nvcc)
    return "";
  llvm::SmallString<256> Real;
  if (llvm::sys::fs::real_path(*Nvcc, Real))
    return "";
  return llvm::sys::path::parent_path(llvm::sys::path::parent_path(Real)).str();
}

llvm::Expected<std::string> findToolkit(llvm::StringRef Requested) {
  if (!Requested.empty()) {
    if (holdsToolkit(Requested))
      return Requested.str();
    return llvm::createStringError(
        llvm::errc::no_such_file_or_directory,
        "--cuda-path=%s: no include/cuda_runtime.h there; name the root folder "
        "of a CUDA toolkit, or leave the option out",
        Requested.str().c_str());
  }
  if (std::optional<std::string> Path = llvm::sys::Process::GetEnv("CUDA_PATH"))
    if (holdsToolkit(*Path))
      return *Path;
  std::string Root = rootOfNvcc();
  if (!Root.empty() && holdsToolkit(Root))
    return Root;
  if (holdsToolkit("/usr/local/cuda"))
    return std::string("/usr/local/cuda");
  return std::string();
}

unsigned versionOf(llvm::StringRef Toolkit) {
  unsigned Version = 13000;
  llvm::SmallString<256> Header(Toolkit);
  llvm::sys::path::append(Header, "include", "cuda.h");
  auto Text = llvm::MemoryBuffer::getFile(Header);
  if (!Text)
    return Version;
  const llvm::StringRef Directive = "#define CUDA_VERSION ";
  llvm::StringRef All = (*Text)->getBuffer();
  size_t At = All.find(Directive);
  if (At == llvm::StringRef::npos)
    return Version;
  All = All.substr(At + Directive.size()).ltrim();
  unsigned Found = 0;
  return All.consumeInteger(10, Found) ? Version : Found;
}

} // namespace kpipe
