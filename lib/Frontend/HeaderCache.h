// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most of a parse reads headers that Clang includes unasked: CUDA's, or kpipe's
// declarations. $KPIPE_HEADER_CACHE names a folder that keeps what Clang knew
// behind them (a precompiled header), for later processes. Private to the
// front end.
#ifndef KPIPE_LIB_FRONTEND_HEADERCACHE_H
#define KPIPE_LIB_FRONTEND_HEADERCACHE_H

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace kpipe {

/// A precompiled header.
struct CachedHeaders {
  std::unique_ptr<llvm::MemoryBuffer> Whole;
  /// The part of Whole that Clang reads.
  llvm::MemoryBufferRef Precompiled;
};

/// The headers for an invocation: kept from another process, or read now and
/// kept. None without the variable, or where they cannot be read apart.
/// \param Directory working directory for relative paths; empty means the
/// process's own.
std::optional<CachedHeaders>
cachedHeaders(const clang::CompilerInvocation &Invocation,
              llvm::StringRef Directory);

} // namespace kpipe

#endif // KPIPE_LIB_FRONTEND_HEADERCACHE_H
