// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::umma_producer: tcgen05.mma, which fills a stage of tensor memory with
// sums. sm_100a.
#ifndef KPIPE_ASYNC_UMMA_PRODUCER_H
#define KPIPE_ASYNC_UMMA_PRODUCER_H

#include "ptx/tcgen05.h"

namespace kpipe {

/// One thread acquires, multiplies and commits; its commit arrives by itself,
/// once, when all that the thread has begun is done (tcgen05.commit). Acquire
/// ends with tcgen05.fence::after_thread_sync.
template <typename _Tp = void> class umma_producer {
  static_assert(__detail::__has_tcgen05<_Tp>::__value,
                "kpipe::pipeline_umma_async needs sm_100a");

public:
  static constexpr bool counts_bytes = false;
  static constexpr bool may_quit = false;

  __device__ __forceinline__ unsigned arrivals() const { return 1; }
  __device__ __forceinline__ void acquired(std::uint64_t *, unsigned) const {
    ptx::tcgen05_fence_after();
  }
  __device__ __forceinline__ void commit(std::uint64_t *__full) const {
    ptx::tcgen05_commit(__full);
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_UMMA_PRODUCER_H
