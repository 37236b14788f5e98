// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks that a file must pass before Clang sees it. It must not know C++.
#include "Input.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace kpipe {

static llvm::Error refuse(llvm::StringRef File, const llvm::Twine &Why) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "'" + File + "': " + Why);
}

llvm::Expected<std::string> readInput(llvm::StringRef File, bool IsCuda) {
  llvm::sys::fs::file_status Status;
  if (std::error_code Failed = llvm::sys::fs::status(File, Status)) {
    if (Failed == std::errc::no_such_file_or_directory)
      return refuse(File, "no such file; check the path");
    return refuse(File, "cannot be read: " + Failed.message());
  }
  if (Status.type() == llvm::sys::fs::file_type::directory_file)
    return refuse(File, "is a directory; name the CUDA files in it");
  llvm::StringRef Ending = llvm::sys::path::extension(File);
  if (!IsCuda && Ending != ".cu" && Ending != ".cuh")
    return refuse(File, "not a CUDA source file (.cu or .cuh); if it is one, "
                        "say so with '-- -x cuda'");
  if (Status.getSize() > MaxInputBytes)
    return refuse(
        File, llvm::formatv("{0:f1} MB is more than the {1} MB that kpipe "
                            "reads; move its kernels to a file of their own",
                            double(Status.getSize()) / (1 << 20),
                            MaxInputBytes >> 20));
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer) {
    if (Buffer.getError() == std::errc::permission_denied)
      return refuse(File, "permission denied; make the file readable");
    return refuse(File, "cannot be read: " + Buffer.getError().message());
  }
  llvm::StringRef Text = (*Buffer)->getBuffer();
  if (Text.contains('\0'))
    return refuse(File, "binary data, not source text (it holds NUL bytes); "
                        "name the CUDA source file");
  return Text.str();
}

} // namespace kpipe
