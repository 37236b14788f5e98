// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::load_row: has the copy engine bring bytes that stand together.
//
// PTX: cp.async.bulk (sm_90), which copies whole pieces of 16 bytes between
// places that are multiples of 16; else mbarrier.complete_tx, as if it had.
//
// kpipe-inline: load_row
#ifndef KPIPE_RUNTIME_LOAD_ROW_H
#define KPIPE_RUNTIME_LOAD_ROW_H

namespace kpipe {

/// For one thread. __to is aligned to 16 bytes, and __bytes a multiple of 16.
/// Where __from is not aligned nothing is copied, and what is at __to then is
/// not defined; but nobody waits in vain. __barrier counts the bytes that are
/// there.
template <typename _Tp, typename _From, typename _Barrier>
__device__ __forceinline__ void load_row(_Tp &__to, const _From *__from,
                                         unsigned __bytes,
                                         _Barrier &__barrier) {
  static_assert(sizeof(_Barrier) == 8, "kpipe::load_row needs an mbarrier");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned long long __address = __cvta_generic_to_global(__from);
  if (__address % 16 == 0)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [%0], [%1], %2, [%3];"
        :
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__to))),
          "l"(__address), "r"(__bytes),
          "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__barrier)))
        : "memory");
  else
    asm volatile(
        "mbarrier.complete_tx.shared::cta.b64 [%0], %1;"
        :
        : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&__barrier))),
          "r"(__bytes)
        : "memory");
#else
  static_cast<void>(__to), static_cast<void>(__from);
  static_cast<void>(__bytes), static_cast<void>(__barrier);
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_LOAD_ROW_H
// kpipe-inline: end
