// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::start_stages: mbarriers by which threads tell a producer that they have
// read a stage.
//
// PTX: mbarrier.init, fence.mbarrier_init (sm_90). Each warp of the threads that
// read arrives once a tile, see kpipe::free_stage. All threads of the block meet
// here.
//
// kpipe-inline: start_stages
#ifndef KPIPE_RUNTIME_START_STAGES_H
#define KPIPE_RUNTIME_START_STAGES_H

namespace kpipe {

/// _Threads read, whole warps from thread 0 on, in a block of one axis.
template <int _Threads, typename _Tp, int _Stages>
__device__ __forceinline__ void start_stages(_Tp (&__empty)[_Stages]) {
  static_assert(sizeof(_Tp) == 8, "kpipe::start_stages needs mbarriers");
  static_assert(_Threads > 0 && _Threads % 32 == 0,
                "kpipe::start_stages is for whole warps");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  if (threadIdx.x == 0) {
    for (int __stage = 0; __stage < _Stages; ++__stage)
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
                   :
                   : "r"(static_cast<unsigned>(
                         __cvta_generic_to_shared(&__empty[__stage]))),
                     "r"(_Threads / 32)
                   : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
  }
#else
  static_cast<void>(__empty);
#endif
  __syncthreads();
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_START_STAGES_H
// kpipe-inline: end
