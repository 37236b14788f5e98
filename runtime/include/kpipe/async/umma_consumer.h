// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::umma_consumer: tcgen05.mma, which reads a stage. sm_100a.
#ifndef KPIPE_ASYNC_UMMA_CONSUMER_H
#define KPIPE_ASYNC_UMMA_CONSUMER_H

#include "ptx/tcgen05.h"

namespace kpipe {

/// One thread waits, multiplies and releases; its release arrives by itself,
/// once, when all that the thread has begun is done (tcgen05.commit). Waits end
/// with tcgen05.fence::after_thread_sync.
template <typename _Tp = void> class umma_consumer {
  static_assert(__detail::__has_tcgen05<_Tp>::__value,
                "kpipe::pipeline_tma_umma needs sm_100a");
  unsigned short __blocks;

public:
  static constexpr bool may_quit = false;
  static constexpr bool in_cluster = false;

  /// \param __mask 0 for the own block; else the blocks of the cluster whose
  /// copies reach this one, a bit for each rank, as in cluster_consumer.
  __device__ __forceinline__ umma_consumer(unsigned short __mask = 0)
      : __blocks(__mask) {}

  __device__ __forceinline__ unsigned arrivals() const {
    return __blocks == 0 ? 1 : __popc(__blocks);
  }
  __device__ __forceinline__ void waited() const { ptx::tcgen05_fence_after(); }
  __device__ __forceinline__ void release(std::uint64_t *__empty) const {
    if (__blocks == 0)
      ptx::tcgen05_commit(__empty);
    else
      ptx::tcgen05_commit_multicast(__empty, __blocks);
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_UMMA_CONSUMER_H
