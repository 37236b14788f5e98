// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::wait_empty: waits until all warps have read a stage.
//
// PTX: mbarrier.try_wait.parity (sm_90); PTX ISA, "mbarrier.test_wait,
// mbarrier.try_wait". A phase is named by its parity, 0 for the first; the phase
// before the first, of parity 1, is over from the start. The wait has acquire
// semantics at the scope of the block.
//
// kpipe-inline: wait_empty
#ifndef KPIPE_RUNTIME_WAIT_EMPTY_H
#define KPIPE_RUNTIME_WAIT_EMPTY_H

namespace kpipe {

/// Waits for the phase of __barrier, at which kpipe::free_stage() arrives.
template <typename _Tp>
__device__ __forceinline__ void wait_empty(_Tp &__barrier, unsigned __parity) {
  static_assert(sizeof(_Tp) == 8, "kpipe::wait_empty needs an mbarrier");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned __done;
  do {
    asm volatile("{.reg .pred p; "
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p;}"
                 : "=r"(__done)
                 : "r"(static_cast<unsigned>(
                       __cvta_generic_to_shared(&__barrier))),
                   "r"(__parity)
                 : "memory");
  } while (__done == 0);
#else
  static_cast<void>(__barrier), static_cast<void>(__parity);
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_WAIT_EMPTY_H
// kpipe-inline: end
