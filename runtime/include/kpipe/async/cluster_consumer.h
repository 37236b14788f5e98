// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::cluster_consumer: warps that read a stage which copies of several
// blocks of a cluster fill. sm_90.
#ifndef KPIPE_ASYNC_CLUSTER_CONSUMER_H
#define KPIPE_ASYNC_CLUSTER_CONSUMER_H

#include "arrivals.h"
#include "ptx/cluster.h"

namespace kpipe {

/// Each warp arrives on release in all blocks whose copies reach this one, one
/// lane a block. The relation is symmetric: a block's copies reach those blocks
/// whose copies reach it, itself included, and all have the same number of
/// consumers. Nobody can quit, and producer_tail is a must: a block that has
/// ended cannot be arrived at.
template <typename _Tp = void> class cluster_consumer {
  static_assert(__detail::__has_sm<90, _Tp>::__value,
                "kpipe::cluster_consumer needs sm_90 or newer");
  group __threads;
  unsigned __blocks;

public:
  static constexpr bool may_quit = false;
  static constexpr bool in_cluster = true;

  /// \param __of consumers of each block, whole warps; \param __mask the
  /// blocks, a bit for each rank in the cluster (%cluster_ctarank), 0 to 15.
  __device__ __forceinline__ cluster_consumer(group __of, unsigned __mask)
      : __threads(__of), __blocks(__mask) {}

  __device__ __forceinline__ unsigned arrivals() const {
    return __detail::__arriver<true, true>::__count(__threads) *
           __popc(__blocks);
  }
  __device__ __forceinline__ void waited() const {}
  __device__ __forceinline__ void release(std::uint64_t *__empty) const {
    __threadfence_block();
    __syncwarp();
    if (__blocks >> ptx::lane() & 1)
      ptx::mbarrier_arrive_cluster(ptx::cluster_address(__empty, ptx::lane()));
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_CLUSTER_CONSUMER_H
