// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers for some warps of a block: what takes the place of __syncthreads
// among consumers when producers go another way.
//
// PTX ISA, "bar{.cta}, barrier{.cta}". A block has 16 of them; 0 is that of
// __syncthreads.
#ifndef KPIPE_ASYNC_PTX_NAMED_BARRIER_H
#define KPIPE_ASYNC_PTX_NAMED_BARRIER_H

namespace kpipe {
namespace ptx {

/// Waits at barrier _Id until _Threads threads have come to it, by sync or by
/// arrive. Whole warps, with all their lanes together. bar.sync.
template <int _Id, int _Threads>
__device__ __forceinline__ void named_barrier_sync() {
  static_assert(_Id >= 0 && _Id < 16, "a block has named barriers 0 to 15");
  static_assert(_Threads > 0 && _Threads % 32 == 0,
                "whole warps come to a named barrier");
  asm volatile("bar.sync %0, %1;" : : "n"(_Id), "n"(_Threads) : "memory");
}

/// Comes to barrier _Id without waiting. bar.arrive.
template <int _Id, int _Threads>
__device__ __forceinline__ void named_barrier_arrive() {
  static_assert(_Id >= 0 && _Id < 16, "a block has named barriers 0 to 15");
  static_assert(_Threads > 0 && _Threads % 32 == 0,
                "whole warps come to a named barrier");
  asm volatile("bar.arrive %0, %1;" : : "n"(_Id), "n"(_Threads) : "memory");
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_NAMED_BARRIER_H
