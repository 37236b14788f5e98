// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::fence_proxy_async: what threads read and wrote comes before bulk copies.
//
// PTX: fence.proxy.async (sm_90); PTX ISA, "Memory Consistency Model: Proxies".
// A barrier orders accesses of one proxy; the copy engine has another one.
//
// kpipe-inline: fence_proxy_async
#ifndef KPIPE_RUNTIME_FENCE_PROXY_ASYNC_H
#define KPIPE_RUNTIME_FENCE_PROXY_ASYNC_H

namespace kpipe {

/// Orders accesses of shared memory that this thread knows of before bulk
/// copies that it issues.
__device__ __forceinline__ void fence_proxy_async() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_FENCE_PROXY_ASYNC_H
// kpipe-inline: end
