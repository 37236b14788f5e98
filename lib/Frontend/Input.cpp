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

static llvm::Error checkSize(llvm::StringRef File, uint64_t Bytes) {
  if (Bytes <= MaxInputBytes)
    return llvm::Error::success();
  return refuse(
      File, llvm::formatv("{0:f1} MB is more than the {1} MB that kpipe "
                          "reads; move its kernels to a file of their own",
                          double(Bytes) / (1 << 20), MaxInputBytes >> 20));
}

llvm::Error checkInput(llvm::StringRef File, llvm::StringRef Text) {
  if (Text.contains('\0'))
    return refuse(File, "binary data, not source text (it holds NUL bytes); "
                        "name the CUDA source file");
  return checkSize(File, Text.size());
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
  if (llvm::Error Large = checkSize(File, Status.getSize()))
    return std::move(Large);
  auto Buffer = llvm::MemoryBuffer::getFile(File);
  if (!Buffer) {
    if (Buffer.getError() == std::errc::permission_denied)
      return refuse(File, "permission denied; make the file readable");
    return refuse(File, "cannot be read: " + Buffer.getError().message());
  }
  llvm::StringRef Text = (*Buffer)->getBuffer();
  if (llvm::Error Bad = checkInput(File, Text))
    return std::move(Bad);
  return Text.str();
}

} // namespace kpipe
