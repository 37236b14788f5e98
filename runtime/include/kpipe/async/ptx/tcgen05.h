// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How tcgen05.mma says that it is done, and the fences around it. sm_100a.
//
// PTX ISA, "TensorCore 5th Generation: Memory Consistency Model", "tcgen05.
// commit", "tcgen05.fence", "tcgen05.wait". Of one block each (cta_group::1);
// pairs of blocks are not served.
#ifndef KPIPE_ASYNC_PTX_TCGEN05_H
#define KPIPE_ASYNC_PTX_TCGEN05_H

#include "../architecture.h"
#include "shared_address.h"
#include <cstdint>

namespace kpipe {
namespace ptx {

/// One arrival that comes by itself when all tcgen05.mma that this thread has
/// begun are done: they have read shared memory and written their sums.
/// tcgen05.commit.
__device__ __forceinline__ void tcgen05_commit(std::uint64_t *__barrier) {
#if KPIPE_HAS_TCGEN05
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::"
               "cluster.b64 [%0];"
               :
               : "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_100a(__barrier);
#endif
}

/// The same at the barrier in this place of each block of the cluster whose bit
/// is set in __blocks. tcgen05.commit.multicast::cluster.
__device__ __forceinline__ void
tcgen05_commit_multicast(std::uint64_t *__barrier, unsigned short __blocks) {
#if KPIPE_HAS_TCGEN05
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::"
               "cluster.multicast::cluster.b64 [%0], %1;"
               :
               : "r"(shared_address(__barrier)), "h"(__blocks)
               : "memory");
#else
  __detail::__needs_sm_100a(__barrier, __blocks);
#endif
}

/// Between tcgen05 instructions of this thread and an arrival that tells other
/// threads of them. tcgen05.fence::before_thread_sync.
__device__ __forceinline__ void tcgen05_fence_before() {
#if KPIPE_HAS_TCGEN05
  asm volatile("tcgen05.fence::before_thread_sync;" : : : "memory");
#else
  __detail::__needs_sm_100a();
#endif
}

/// Between a wait and tcgen05 instructions of this thread that rest on it.
/// tcgen05.fence::after_thread_sync.
__device__ __forceinline__ void tcgen05_fence_after() {
#if KPIPE_HAS_TCGEN05
  asm volatile("tcgen05.fence::after_thread_sync;" : : : "memory");
#else
  __detail::__needs_sm_100a();
#endif
}

/// Waits for all tcgen05.ld of this thread; all lanes of a warp together.
/// tcgen05.wait::ld.
__device__ __forceinline__ void tcgen05_wait_loads() {
#if KPIPE_HAS_TCGEN05
  asm volatile("tcgen05.wait::ld.sync.aligned;" : : : "memory");
#else
  __detail::__needs_sm_100a();
#endif
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_TCGEN05_H
