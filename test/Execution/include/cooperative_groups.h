// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for cooperative groups: the block and tiles of a warp.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {
class thread_block {
public:
  KX_SYNC static void sync() { kx_barrier(0, KxCount); }
  KX_INLINE static unsigned thread_rank() {
    uint3 T = kx_thread_index(), D = kx_block_dim();
    return (T.z * D.y + T.y) * D.x + T.x;
  }
  KX_INLINE static unsigned size() {
    uint3 D = kx_block_dim();
    return D.x * D.y * D.z;
  }
  KX_INLINE static unsigned num_threads() { return size(); }
  KX_INLINE static dim3 thread_index() { return kx_thread_index(); }
  KX_INLINE static dim3 group_index() { return kx_block_index(); }
  KX_INLINE static dim3 dim_threads() { return kx_block_dim(); }
  KX_INLINE static dim3 group_dim() { return kx_block_dim(); }
};
KX_INLINE thread_block this_thread_block() { return {}; }

template <unsigned Size, typename Parent = void> class thread_block_tile {
  static unsigned mask() {
    unsigned First = kx_lane() / Size * Size;
    return unsigned((1ull << Size) - 1) << First;
  }

public:
  KX_SYNC static void sync() { __syncwarp(mask()); }
  KX_INLINE static unsigned thread_rank() { return kx_lane() % Size; }
  KX_INLINE static constexpr unsigned size() { return Size; }
  KX_INLINE static constexpr unsigned num_threads() { return Size; }
  KX_INLINE static unsigned meta_group_rank() {
    return thread_block::thread_rank() / Size;
  }
  KX_INLINE static unsigned meta_group_size() {
    return (thread_block::size() + Size - 1) / Size;
  }
  template <typename T> KX_SYNC T shfl(T V, int Source) const {
    return __shfl_sync(mask(), V, Source, Size);
  }
  template <typename T> KX_SYNC T shfl_down(T V, unsigned Delta) const {
    return __shfl_down_sync(mask(), V, Delta, Size);
  }
  template <typename T> KX_SYNC T shfl_up(T V, unsigned Delta) const {
    return __shfl_up_sync(mask(), V, Delta, Size);
  }
  template <typename T> KX_SYNC T shfl_xor(T V, int Mask) const {
    return __shfl_xor_sync(mask(), V, Mask, Size);
  }
  KX_SYNC int any(int P) const { return (__ballot_sync(mask(), P) & mask()) != 0; }
  KX_SYNC int all(int P) const {
    return (__ballot_sync(mask(), P) & mask()) == mask();
  }
};
template <unsigned Size, typename Parent>
KX_INLINE thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return {};
}
KX_INLINE thread_block_tile<1> this_thread() { return {}; }
template <typename Group> KX_SYNC void sync(const Group &G) { G.sync(); }
} // namespace cooperative_groups
