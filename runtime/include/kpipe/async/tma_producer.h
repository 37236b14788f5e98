// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::tma_producer: the copy engine, which fills a stage. sm_90.
#ifndef KPIPE_ASYNC_TMA_PRODUCER_H
#define KPIPE_ASYNC_TMA_PRODUCER_H

#include "arrivals.h"
#include "ptx/fence.h"

namespace kpipe {

/// Acquire orders the copies behind what others have read in the stage
/// (fence.proxy.async), then arrives and says how many bytes will land
/// (mbarrier.arrive.expect_tx). Commit does nothing: the bytes end the phase.
/// They must be exactly as many, at most 2^20-1 a stage: fewer hang, more are
/// undefined. One thread of each issuer calls acquire; or, where commits are
/// elected, one whole warp, whose elected lane (ptx::elect_one) then copies.
template <class _Arrivals = thread_arrivals> class tma_producer {
  static_assert(__detail::__has_sm<90, _Arrivals>::__value,
                "kpipe::pipeline_tma_async and kpipe::pipeline_tma_umma need "
                "sm_90 or newer");
  unsigned __bytes, __issuers;

public:
  static constexpr bool counts_bytes = true;
  static constexpr bool may_quit = false;

  /// \param __of_each bytes that each issuer copies into a stage;
  /// \param __count issuers: threads, or warps where commits are elected.
  __device__ __forceinline__ tma_producer(unsigned __of_each,
                                          unsigned __count = 1)
      : __bytes(__of_each), __issuers(__count) {}

  __device__ __forceinline__ unsigned arrivals() const { return __issuers; }
  __device__ __forceinline__ void acquired(std::uint64_t *__full,
                                           unsigned __extra_tx) const {
    ptx::fence_proxy_async();
    if (!_Arrivals::elect_commit || ptx::elect_one())
      ptx::mbarrier_arrive_expect_tx(__full, __bytes + __extra_tx);
  }
  __device__ __forceinline__ void commit(std::uint64_t *) const {}
};

} // namespace kpipe

#endif // KPIPE_ASYNC_TMA_PRODUCER_H
