// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waiting for a phase of a barrier in shared memory of the own block.
//
// PTX ISA, "mbarrier.test_wait, mbarrier.try_wait". A phase is named by its
// parity, 0 for phases 0, 2, 4, ... Asked for parity p, the barrier says
// whether the newest phase of that parity has ended: of the current phase that
// is not so, of the one before it is. A new barrier, in phase 0, says so of
// parity 1. Who waits must therefore never be two phases behind. Waiting
// successfully has acquire semantics at the scope of the block.
#ifndef KPIPE_ASYNC_PTX_MBARRIER_WAIT_H
#define KPIPE_ASYNC_PTX_MBARRIER_WAIT_H

#include "../architecture.h"
#include "shared_address.h"
#include <cstdint>

namespace kpipe {
namespace ptx {

/// Has the phase ended? Does not wait. mbarrier.test_wait.parity, sm_80.
__device__ __forceinline__ bool mbarrier_test(std::uint64_t *__barrier,
                                              unsigned __parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned __done;
  asm volatile("{.reg .pred p; "
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(__done)
               : "r"(shared_address(__barrier)), "r"(__parity)
               : "memory");
  return __done != 0;
#else
  return __detail::__needs_sm_80(__barrier, __parity);
#endif
}

/// Has the phase ended? May wait for it, for as long as the hardware likes.
/// mbarrier.try_wait.parity, sm_90; on sm_80 the same as mbarrier_test.
__device__ __forceinline__ bool mbarrier_try(std::uint64_t *__barrier,
                                             unsigned __parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned __done;
  asm volatile("{.reg .pred p; "
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(__done)
               : "r"(shared_address(__barrier)), "r"(__parity)
               : "memory");
  return __done != 0;
#else
  return mbarrier_test(__barrier, __parity);
#endif
}

/// Waits until the phase has ended.
__device__ __forceinline__ void mbarrier_wait(std::uint64_t *__barrier,
                                              unsigned __parity) {
  while (!mbarrier_try(__barrier, __parity))
    ;
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_MBARRIER_WAIT_H
