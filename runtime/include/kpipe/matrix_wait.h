// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::matrix_wait: waits until few groups of wgmma are in flight.
//
// PTX: wgmma.wait_group (sm_90a); PTX ISA, "wgmma.wait_group". Groups are
// counted per warp; those that were committed last may stay in flight.
//
// kpipe-inline: matrix_wait
#ifndef KPIPE_RUNTIME_MATRIX_WAIT_H
#define KPIPE_RUNTIME_MATRIX_WAIT_H

namespace kpipe {

/// Waits until at most _Groups of this warp's wgmma groups are in flight.
template <int _Groups> __device__ __forceinline__ void matrix_wait() {
  static_assert(_Groups >= 0, "kpipe::matrix_wait leaves 0 or more groups");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("wgmma.wait_group.sync.aligned %0;" : : "n"(_Groups) : "memory");
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_MATRIX_WAIT_H
// kpipe-inline: end
