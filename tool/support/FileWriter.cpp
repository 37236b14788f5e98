// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary neighbour, write, close, rename. POSIX calls are used directly
// where every failure counts: a full disk may show only when a file is closed.
#include "FileWriter.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Errc.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kpipe {

static std::error_code lastError() {
  return std::error_code(errno, std::generic_category());
}

llvm::Error writeError(llvm::StringRef Path, std::error_code Why) {
  std::string Cure;
  if (Why == std::errc::no_space_on_device)
    Cure = "; free some space, nothing was changed";
  else if (Why == std::errc::no_such_file_or_directory)
    Cure = "; create its folder first";
  else if (Why == std::errc::permission_denied ||
           Why == std::errc::operation_not_permitted ||
           Why == std::errc::read_only_file_system)
    Cure = "; choose a place that you may write to";
  else if (Why == std::errc::is_a_directory)
    Cure = "; name a file in it, or use --output-dir";
  return llvm::createStringError(
      Why, "cannot write '" + Path + "': " + Why.message() + Cure);
}

std::error_code writeAll(int Descriptor, llvm::StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(Descriptor, Text.data(), Text.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return lastError();
    Text = Text.drop_front(Written);
  }
  return {};
}

/// The path behind symbolic links, also where the last one dangles.
static std::string followLinks(llvm::StringRef Path) {
  llvm::SmallString<256> Current(Path);
  for (unsigned Hops = 0; Hops < 40; ++Hops) {
    char Buffer[4096];
    ssize_t Length = ::readlink(Current.c_str(), Buffer, sizeof(Buffer));
    if (Length < 0)
      break;
    llvm::StringRef Link(Buffer, Length);
    if (llvm::sys::path::is_absolute(Link)) {
      Current = Link;
    } else {
      llvm::sys::path::remove_filename(Current);
      llvm::sys::path::append(Current, Link);
    }
  }
  return Current.str().str();
}

llvm::Error FileWriter::stage(llvm::StringRef Path, llvm::StringRef Text) {
  Staged File{Path.str(), followLinks(Path), "", "", {}};
  struct stat Old;
  bool Exists = ::stat(File.Target.c_str(), &Old) == 0;
  if (!Exists && errno != ENOENT)
    return writeError(Path, lastError());
  if (Exists && S_ISDIR(Old.st_mode))
    return writeError(Path, make_error_code(llvm::errc::is_a_directory));
  // A rename would get round a file's write protection.
  if (Exists && ::access(File.Target.c_str(), W_OK) != 0)
    return writeError(Path, lastError());
  if (Exists && !S_ISREG(Old.st_mode)) {
    File.Text = Text.str();
    Files.push_back(std::move(File));
    return llvm::Error::success();
  }

  llvm::SmallString<256> Model(llvm::sys::path::parent_path(File.Target));
  llvm::sys::path::append(Model, "." + llvm::sys::path::filename(File.Target) +
                                     ".kpipe-%%%%%%%%");
  int Descriptor;
  llvm::SmallString<256> Temporary;
  if (std::error_code Failed = llvm::sys::fs::createUniqueFile(
          Model, Descriptor, Temporary, llvm::sys::fs::OF_None, 0666))
    return writeError(Path, Failed);
  File.Temporary = Temporary.str().str();
  File.Trace = Leftover(File.Temporary);
  Files.push_back(std::move(File));
  std::error_code Failed = writeAll(Descriptor, Text);
  if (!Failed && Exists) {
    // The owner may only be kept by root; the mode must be.
    if (::fchown(Descriptor, Old.st_uid, Old.st_gid) != 0)
      errno = 0;
    if (::fchmod(Descriptor, Old.st_mode & 07777) != 0)
      Failed = lastError();
  }
  if (::close(Descriptor) != 0 && !Failed)
    Failed = lastError();
  return Failed ? writeError(Path, Failed) : llvm::Error::success();
}

/// Writes to a pipe or a device, which cannot be staged.
static std::error_code writeThrough(const std::string &Target,
                                    llvm::StringRef Text) {
  int Descriptor = ::open(Target.c_str(), O_WRONLY);
  if (Descriptor < 0)
    return lastError();
  std::error_code Failed = writeAll(Descriptor, Text);
  if (::close(Descriptor) != 0 && !Failed)
    Failed = lastError();
  return Failed;
}

llvm::Error FileWriter::commit() {
  // What can fail goes first: no file is replaced if a device refuses.
  for (const Staged &File : Files)
    if (File.Temporary.empty())
      if (std::error_code Failed = writeThrough(File.Target, File.Text))
        return writeError(File.Path, Failed);
  for (Staged &File : Files)
    if (!File.Temporary.empty()) {
      if (std::error_code Failed =
              llvm::sys::fs::rename(File.Temporary, File.Target))
        return writeError(File.Path, Failed);
      File.Temporary.clear();
      File.Trace.forget();
    }
  Files.clear();
  return llvm::Error::success();
}

llvm::Error writeFile(llvm::StringRef Path, llvm::StringRef Text) {
  FileWriter Writer;
  if (llvm::Error Bad = Writer.stage(Path, Text))
    return Bad;
  return Writer.commit();
}

FileWriter::~FileWriter() {
  for (const Staged &File : Files)
    if (!File.Temporary.empty())
      llvm::sys::fs::remove(File.Temporary);
}

} // namespace kpipe
