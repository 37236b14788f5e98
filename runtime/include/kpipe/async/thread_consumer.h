// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::thread_consumer: threads that read a stage. sm_80.
#ifndef KPIPE_ASYNC_THREAD_CONSUMER_H
#define KPIPE_ASYNC_THREAD_CONSUMER_H

#include "arrivals.h"

namespace kpipe {

/// Each thread of the group, or one lane for its warp, arrives on release
/// (mbarrier.arrive, release), behind a fence of its own where copies refill
/// the stage: ptxas moves an arrival above the use of ldmatrix's results that
/// are still on their way, and a copy would overwrite what they are read from.
/// On an H200, 598 of 600 launches were wrong without this fence and the
/// producer's. Reads by wgmma have ended (wgmma.wait_group) before the stage is
/// released.
template <class _Arrivals = thread_arrivals, bool _RefilledByCopies = true>
class thread_consumer {
  using __by =
      __detail::__arriver<_Arrivals::elect_release, _Arrivals::sync_release>;
  static_assert(__detail::__has_sm<80, _Arrivals>::__value,
                "kpipe::pipeline_async needs sm_80 or newer");
  group __threads;

public:
  static constexpr bool may_quit = true;
  static constexpr bool in_cluster = false;

  __device__ __forceinline__ thread_consumer(group __of) : __threads(__of) {}

  __device__ __forceinline__ unsigned arrivals() const {
    return __by::__count(__threads);
  }
  __device__ __forceinline__ void waited() const {}
  __device__ __forceinline__ void release(std::uint64_t *__empty) const {
    if (_RefilledByCopies)
      __threadfence_block();
    __by::__arrive(__empty);
  }
  __device__ __forceinline__ void quit(std::uint64_t *__empty) const {
    __by::__drop(__empty);
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_THREAD_CONSUMER_H
