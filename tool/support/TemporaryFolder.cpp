// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's unique directories, removed at the end.
#include "TemporaryFolder.h"
#include "Failure.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace kpipe {

llvm::Expected<TemporaryFolder> TemporaryFolder::make(llvm::StringRef Prefix) {
  llvm::SmallString<256> Path;
  if (llvm::sys::path::is_absolute(Prefix)) {
    Path = Prefix;
    Path += "-XXXXXX";
    if (!::mkdtemp(const_cast<char *>(Path.c_str())))
      return optionError("no folder for temporary files can be made: " +
                         Path.str() + ": " + std::strerror(errno));
    return TemporaryFolder(Path.str().str());
  }
  if (std::error_code Failed =
          llvm::sys::fs::createUniqueDirectory(Prefix, Path))
    return optionError("no folder for temporary files can be made: " +
                       Failed.message() +
                       "; set TMPDIR to a place that you may write to");
  return TemporaryFolder(Path.str().str());
}

TemporaryFolder::~TemporaryFolder() {
  if (!Path.empty())
    llvm::sys::fs::remove_directories(Path);
}

std::string TemporaryFolder::file(llvm::StringRef Name) const {
  llvm::SmallString<256> File(Path);
  llvm::sys::path::append(File, Name);
  return File.str().str();
}

} // namespace kpipe
