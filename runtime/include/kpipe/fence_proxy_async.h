// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::fence_proxy_async: what threads read and wrote comes before bulk copies
// and before what wgmma reads.
//
// PTX: fence.proxy.async (sm_90); PTX ISA, "Memory Consistency Model: Proxies".
// A barrier orders accesses of one proxy; copy engine and wgmma have another one.
//
// kpipe-inline: fence_proxy_async
#ifndef KPIPE_RUNTIME_FENCE_PROXY_ASYNC_H
#define KPIPE_RUNTIME_FENCE_PROXY_ASYNC_H

namespace kpipe {

/// Orders accesses of shared memory that this thread knows of before bulk
/// copies that it issues, and before wgmma behind a barrier.
__device__ __forceinline__ void fence_proxy_async() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_FENCE_PROXY_ASYNC_H
// kpipe-inline: end
