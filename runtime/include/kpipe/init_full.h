// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::init_full: an mbarrier by which the copy engine tells that it has
// brought a tile.
//
// PTX: mbarrier.init (sm_90). One thread arrives in each phase, the one that
// issues the copies. Below sm_90 there are no such copies: the kernel ends.
//
// kpipe-inline: init_full
#ifndef KPIPE_RUNTIME_INIT_FULL_H
#define KPIPE_RUNTIME_INIT_FULL_H

namespace kpipe {

/// For one thread; kpipe::fence_proxy_async() by it and a barrier of the block
/// follow.
template <typename _Tp>
__device__ __forceinline__ void init_full(_Tp &__barrier) {
  static_assert(sizeof(_Tp) == 8, "kpipe::init_full needs an mbarrier");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;"
      :
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__barrier))), "r"(1)
      : "memory");
#else
  static_cast<void>(__barrier);
  __trap();
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_INIT_FULL_H
// kpipe-inline: end
