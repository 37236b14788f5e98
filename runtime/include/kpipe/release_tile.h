// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::release_tile: what this thread has read may be overwritten.
//
// PTX: fence.acq_rel.cta, as __threadfence_block() makes it. ptxas moves a
// barrier above the use of ldmatrix results that are outstanding; the fence
// keeps them in front of it.
//
// kpipe-inline: release_tile
#ifndef KPIPE_RUNTIME_RELEASE_TILE_H
#define KPIPE_RUNTIME_RELEASE_TILE_H

namespace kpipe {

/// A barrier of the block follows, then kpipe::fence_proxy_async() by the thread
/// that issues the copies.
__device__ __forceinline__ void release_tile() { __threadfence_block(); }

} // namespace kpipe

#endif // KPIPE_RUNTIME_RELEASE_TILE_H
// kpipe-inline: end
