// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::expect_tile: how many bytes of a tile the copy engine is to bring.
//
// PTX: mbarrier.arrive.expect_tx (sm_90): the one arrival of the phase.
//
// kpipe-inline: expect_tile
#ifndef KPIPE_RUNTIME_EXPECT_TILE_H
#define KPIPE_RUNTIME_EXPECT_TILE_H

namespace kpipe {

/// For the thread that issues the copies, in front of them.
template <typename _Tp>
__device__ __forceinline__ void expect_tile(_Tp &__barrier, unsigned __bytes) {
  static_assert(sizeof(_Tp) == 8, "kpipe::expect_tile needs an mbarrier");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
      :
      : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__barrier))),
        "r"(__bytes)
      : "memory");
#else
  static_cast<void>(__barrier), static_cast<void>(__bytes);
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_EXPECT_TILE_H
// kpipe-inline: end
