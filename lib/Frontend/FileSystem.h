// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file system that Clang reads from: the real one with the embedded files
// laid over it. Private to the front end.
#ifndef KPIPE_LIB_FRONTEND_FILESYSTEM_H
#define KPIPE_LIB_FRONTEND_FILESYSTEM_H

#include "llvm/Support/VirtualFileSystem.h"

namespace kpipe {

/// \param Directory working directory for relative paths; empty means the
/// process's own.
/// \param Precompiled what PrecompiledFile holds, if anything; it outlives the
/// result.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
makeFileSystem(llvm::StringRef Directory,
               llvm::MemoryBufferRef Precompiled = {});

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_FILESYSTEM_H
