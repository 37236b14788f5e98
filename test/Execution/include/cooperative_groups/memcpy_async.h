// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for the asynchronous copies of cooperative groups. Each call is a
// commit group of each thread, as in CUDA.
#pragma once

#include "../cooperative_groups.h"
#include "../kx/barrier_objects.h"

namespace kx {
// Bytes that stand before and behind the pieces are copied at once.
template <typename Group>
KX_INLINE void copyBytes(const Group &G, char *Dst, const char *Src,
                         std::size_t Bytes) {
  copyByGroup<1>(G, Dst, Src, Bytes);
}
template <std::size_t Align, typename Group>
KX_INLINE void copyWithEnds(const Group &G, char *Dst, const char *Src,
                            std::size_t Bytes) {
  std::size_t Before = -reinterpret_cast<std::uintptr_t>(Src) & (Align - 1);
  std::size_t Pieces = (Bytes - Before) / Align * Align;
  copyBytes(G, Dst, Src, Before);
  copyByGroup<Align>(G, Dst + Before, Src + Before, Pieces);
  copyBytes(G, Dst + Before + Pieces, Src + Before + Pieces,
            Bytes - Before - Pieces);
}

template <std::size_t Align, typename Group>
KX_INLINE void copyOfGroup(const Group &G, void *D, const void *S,
                           std::size_t Bytes) {
  char *Dst = static_cast<char *>(D);
  auto *Src = static_cast<const char *>(S);
  if constexpr (Align >= 4) {
    copyByGroup<Align>(G, Dst, Src,
                       Bytes / (Align > 16 ? 16 : Align) *
                           (Align > 16 ? 16 : Align));
  } else {
    // What both addresses have in common.
    std::size_t Apart = (reinterpret_cast<std::uintptr_t>(Src) ^
                         reinterpret_cast<std::uintptr_t>(Dst)) &
                        15;
    std::size_t Common = Apart ? Apart & -Apart : 16;
    if (Bytes < Common || Common < 4)
      copyBytes(G, Dst, Src, Bytes);
    else if (Common == 4)
      copyWithEnds<4>(G, Dst, Src, Bytes);
    else if (Common == 8)
      copyWithEnds<8>(G, Dst, Src, Bytes);
    else
      copyWithEnds<16>(G, Dst, Src, Bytes);
  }
  kx_commit();
}
} // namespace kx

namespace cooperative_groups {
template <typename Group, typename T, typename Size>
KX_INLINE void memcpy_async(const Group &G, T *D, const T *S, const Size &N) {
  constexpr std::size_t Hint = kx::AlignOfSize<Size>::Value;
  kx::copyOfGroup<Hint != 1 ? Hint : kx::AlignOf<T>::Value>(G, D, S, N);
}
template <typename Group, typename T, typename DstLayout, typename SrcLayout>
KX_INLINE void memcpy_async(const Group &G, T *D, const DstLayout &DN,
                            const T *S, const SrcLayout &SN) {
  constexpr std::size_t Hint = kx::AlignOfSize<DstLayout>::Value;
  std::size_t Count = std::size_t(DN) < std::size_t(SN) ? DN : SN;
  kx::copyOfGroup<Hint != 1 ? Hint : alignof(T)>(G, D, S, Count * sizeof(T));
}
template <unsigned Prior, typename Group>
KX_SYNC void wait_prior(const Group &G) {
  kx_wait_prior(Prior);
  G.sync();
}
template <typename Group> KX_SYNC void wait(const Group &G) {
  kx_wait_prior(0);
  G.sync();
}
} // namespace cooperative_groups
