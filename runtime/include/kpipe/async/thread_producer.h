// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::thread_producer: threads that fill a stage with plain stores. sm_80.
#ifndef KPIPE_ASYNC_THREAD_PRODUCER_H
#define KPIPE_ASYNC_THREAD_PRODUCER_H

#include "arrivals.h"

namespace kpipe {

/// Each thread of the group, or one lane for its warp, arrives on commit
/// (mbarrier.arrive, release). Where wgmma or tcgen05.mma read the stage, each
/// thread calls ptx::fence_proxy_async() before it commits.
template <class _Arrivals = thread_arrivals> class thread_producer {
  using __by =
      __detail::__arriver<_Arrivals::elect_commit, _Arrivals::sync_commit>;
  static_assert(__detail::__has_sm<80, _Arrivals>::__value,
                "kpipe::pipeline_async needs sm_80 or newer");
  group __threads;

public:
  static constexpr bool counts_bytes = false;
  static constexpr bool may_quit = true;

  __device__ __forceinline__ thread_producer(group __of) : __threads(__of) {}

  __device__ __forceinline__ unsigned arrivals() const {
    return __by::__count(__threads);
  }
  __device__ __forceinline__ void acquired(std::uint64_t *, unsigned) const {}
  __device__ __forceinline__ void commit(std::uint64_t *__full) const {
    __by::__arrive(__full);
  }
  __device__ __forceinline__ void quit(std::uint64_t *__full) const {
    __by::__drop(__full);
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_THREAD_PRODUCER_H
