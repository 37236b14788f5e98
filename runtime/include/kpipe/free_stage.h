// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::free_stage: what this warp has read of a stage may be overwritten.
//
// PTX: fence.acq_rel.cta, as __threadfence_block() makes it, bar.warp.sync, and
// mbarrier.arrive by the warp's first thread (sm_90). ptxas moves an arrival
// above the use of ldmatrix results that are outstanding; the fence keeps them in
// front of it.
//
// kpipe-inline: free_stage
#ifndef KPIPE_RUNTIME_FREE_STAGE_H
#define KPIPE_RUNTIME_FREE_STAGE_H

namespace kpipe {

/// All threads of a warp call it, in a block of one axis. The producer waits with
/// kpipe::wait_empty(), and fences with kpipe::fence_proxy_async().
template <typename _Tp>
__device__ __forceinline__ void free_stage(_Tp &__empty) {
  static_assert(sizeof(_Tp) == 8, "kpipe::free_stage needs an mbarrier");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  __threadfence_block();
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
                 :
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__empty)))
                 : "memory");
#else
  static_cast<void>(__empty);
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_FREE_STAGE_H
// kpipe-inline: end
