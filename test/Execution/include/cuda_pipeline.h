// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stand-in for the pipeline primitives that authors use by hand.
#pragma once

#include "cuda_awbarrier_primitives.h"
#include "cuda_runtime.h"

KX_INLINE void __pipeline_memcpy_async(void *Dst, const void *Src,
                                       std::size_t Bytes,
                                       std::size_t ZeroFill = 0) {
  kx_copy_async(Dst, Src, unsigned(Bytes), unsigned(Bytes - ZeroFill));
}
KX_INLINE void __pipeline_commit() { kx_commit(); }
KX_INLINE void __pipeline_wait_prior(unsigned Groups) { kx_wait_prior(Groups); }
KX_SYNC void __pipeline_arrive_on(__mbarrier_t *B) { kx_barrier_copies(B, 0); }

namespace nvcuda::experimental {
class pipeline {
  std::size_t Batch = 0;

public:
  KX_INLINE std::size_t commit() {
    kx_commit();
    return Batch++;
  }
  KX_INLINE void commit_and_wait() {
    commit();
    kx_wait_prior(0);
  }
  KX_INLINE void wait(std::size_t Which) {
    kx_wait_prior(unsigned(Batch > Which ? Batch - Which : 0));
  }
  template <unsigned Prior> KX_INLINE void wait_prior() {
    kx_wait_prior(Prior);
  }
};
template <typename T>
KX_INLINE void memcpy_async(T &Dst, const T &Src, pipeline &) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "others are not asynchronous");
  kx_copy_async(&Dst, &Src, sizeof(T), sizeof(T));
}
} // namespace nvcuda::experimental
