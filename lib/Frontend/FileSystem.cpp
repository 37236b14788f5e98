// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Routes paths under the embedded root to memory and all others to the disk.
// An llvm::vfs::OverlayFileSystem would ask both for every header that Clang
// probes; telling them apart by the path's beginning costs nothing.
#include "FileSystem.h"
#include "Embedded.h"
#include "kpipe/Frontend.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kpipe {
namespace {

class RoutingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  RoutingFileSystem(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Disk,
                    llvm::MemoryBufferRef Precompiled)
      : ProxyFileSystem(std::move(Disk)),
        Memory(llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>()) {
    forEachEmbeddedFile([&](llvm::StringRef Path, llvm::StringRef Text) {
      Memory->addFileNoOwn(Path, /*ModificationTime=*/0,
                           llvm::MemoryBufferRef(Text, Path));
    });
    // Its text is given to Clang in another way; but a file has to be there.
    Memory->addFileNoOwn(StandardInput, 0,
                         llvm::MemoryBufferRef("", StandardInput));
    Memory->addFileNoOwn(HeadersFile, 0,
                         llvm::MemoryBufferRef("", HeadersFile));
    if (Precompiled.getBufferSize())
      Memory->addFileNoOwn(PrecompiledFile, 0, Precompiled);
  }

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override {
    llvm::SmallString<256> Storage;
    llvm::StringRef Name = Path.toStringRef(Storage);
    return isEmbedded(Name) ? Memory->status(Name)
                            : ProxyFileSystem::status(Name);
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    llvm::SmallString<256> Storage;
    llvm::StringRef Name = Path.toStringRef(Storage);
    return isEmbedded(Name) ? Memory->openFileForRead(Name)
                            : ProxyFileSystem::openFileForRead(Name);
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &Path,
                                          std::error_code &EC) override {
    llvm::SmallString<256> Storage;
    llvm::StringRef Name = Path.toStringRef(Storage);
    return isEmbedded(Name) ? Memory->dir_begin(Name, EC)
                            : ProxyFileSystem::dir_begin(Name, EC);
  }

  bool exists(const llvm::Twine &Path) override {
    llvm::SmallString<256> Storage;
    llvm::StringRef Name = Path.toStringRef(Storage);
    return isEmbedded(Name) ? Memory->exists(Name)
                            : ProxyFileSystem::exists(Name);
  }

  std::error_code getRealPath(const llvm::Twine &Path,
                              llvm::SmallVectorImpl<char> &Out) override {
    llvm::SmallString<256> Storage;
    llvm::StringRef Name = Path.toStringRef(Storage);
    return isEmbedded(Name) ? Memory->getRealPath(Name, Out)
                            : ProxyFileSystem::getRealPath(Name, Out);
  }

private:
  static bool isEmbedded(llvm::StringRef Path) {
    return Path.starts_with(EmbeddedRoot) || Path == StandardInput;
  }

  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> Memory;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
makeFileSystem(llvm::StringRef Directory, llvm::MemoryBufferRef Precompiled) {
  if (Directory.empty())
    return llvm::makeIntrusiveRefCnt<RoutingFileSystem>(
        llvm::vfs::getRealFileSystem(), Precompiled);
  // A file system of its own, so that the process's directory stays.
  std::unique_ptr<llvm::vfs::FileSystem> Disk =
      llvm::vfs::createPhysicalFileSystem();
  Disk->setCurrentWorkingDirectory(Directory);
  return llvm::makeIntrusiveRefCnt<RoutingFileSystem>(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>(Disk.release()),
      Precompiled);
}

} // namespace kpipe
