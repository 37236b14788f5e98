// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fences between loads and stores of threads (the generic proxy) and what the
// copy engine and the tensor cores read and write (the async proxy).
//
// PTX ISA, "Memory Consistency Model: Proxies" and "membar / fence". A barrier
// orders accesses of one proxy; between two it needs one of these.
#ifndef KPIPE_ASYNC_PTX_FENCE_H
#define KPIPE_ASYNC_PTX_FENCE_H

#include "../architecture.h"

namespace kpipe {
namespace ptx {

/// Orders this thread's view of shared memory before it with copies, wgmma and
/// tcgen05.mma that begin after it: behind a wait, before a copy overwrites
/// what threads have read; behind plain stores or copy_async, before wgmma
/// reads them. fence.proxy.async, sm_90.
__device__ __forceinline__ void fence_proxy_async() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#else
  __detail::__needs_sm_90();
#endif
}

/// Makes barriers that this thread has initialised known to the async proxy and
/// to other blocks of a cluster. A barrier of the block or the cluster follows.
/// fence.mbarrier_init, sm_90; on sm_80, which has neither, nothing.
__device__ __forceinline__ void fence_mbarrier_init() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#endif
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_FENCE_H
