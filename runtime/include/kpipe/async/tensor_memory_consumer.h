// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::tensor_memory_consumer: warps that read sums from tensor memory with
// tcgen05.ld. sm_100a.
#ifndef KPIPE_ASYNC_TENSOR_MEMORY_CONSUMER_H
#define KPIPE_ASYNC_TENSOR_MEMORY_CONSUMER_H

#include "arrivals.h"
#include "ptx/tcgen05.h"

namespace kpipe {

/// Waits end with tcgen05.fence::after_thread_sync. Release waits for the loads
/// (tcgen05.wait::ld), then arrives behind tcgen05.fence::before_thread_sync;
/// whole warps call it, as tcgen05.ld wants.
template <class _Arrivals = thread_arrivals> class tensor_memory_consumer {
  using __by =
      __detail::__arriver<_Arrivals::elect_release, _Arrivals::sync_release>;
  static_assert(__detail::__has_tcgen05<_Arrivals>::__value,
                "kpipe::pipeline_umma_async needs sm_100a");
  group __threads;

public:
  static constexpr bool may_quit = true;
  static constexpr bool in_cluster = false;

  __device__ __forceinline__ tensor_memory_consumer(group __of)
      : __threads(__of) {}

  __device__ __forceinline__ unsigned arrivals() const {
    return __by::__count(__threads);
  }
  __device__ __forceinline__ void waited() const { ptx::tcgen05_fence_after(); }
  __device__ __forceinline__ void release(std::uint64_t *__empty) const {
    ptx::tcgen05_wait_loads();
    ptx::tcgen05_fence_before();
    __by::__arrive(__empty);
  }
  __device__ __forceinline__ void quit(std::uint64_t *__empty) const {
    __by::__drop(__empty);
  }
};

} // namespace kpipe

#endif // KPIPE_ASYNC_TENSOR_MEMORY_CONSUMER_H
