// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::cp_async_producer: threads that fill a stage with copy_async. sm_80.
#ifndef KPIPE_ASYNC_CP_ASYNC_PRODUCER_H
#define KPIPE_ASYNC_CP_ASYNC_PRODUCER_H

#include "arrivals.h"

namespace kpipe {

/// Commit does not wait: an arrival for each thread comes by itself when all
/// copies that the thread has begun have landed
/// (cp.async.mbarrier.arrive.noinc). It covers copies only; bytes that are to
/// be zero come from copy_async_zfill, not from plain stores. Each thread
/// commits for each stage, also one that copied nothing into it.
template <class _Arrivals = thread_arrivals> class cp_async_producer {
  static_assert(__detail::__has_sm<80, _Arrivals>::__value,
                "kpipe::pipeline_cp_async needs sm_80 or newer");
  static_assert(!_Arrivals::elect_commit,
                "the copies of each thread arrive by themselves: nobody can be "
                "elected to commit");
  group __threads;

public:
  static constexpr bool counts_bytes = false;
  static constexpr bool may_quit = true;

  __device__ __forceinline__ cp_async_producer(group __of) : __threads(__of) {}

  __device__ __forceinline__ unsigned arrivals() const {
    return __detail::__arriver<false, false>::__count(__threads);
  }
  __device__ __forceinline__ void acquired(std::uint64_t *, unsigned) const {}
  __device__ __forceinline__ void commit(std::uint64_t *__full) const {
    ptx::mbarrier_arrive_after_copies(__full);
  }
  __device__ __forceinline__ void quit(std::uint64_t *__full) const {
    ptx::mbarrier_arrive_drop(__full);
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_CP_ASYNC_PRODUCER_H
