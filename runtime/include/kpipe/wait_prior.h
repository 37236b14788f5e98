// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::wait_prior: waits until all but the newest groups are complete.
//
// PTX: cp.async.wait_group N (sm_80 and newer); PTX ISA, "Data Movement and
// Conversion Instructions: cp.async.wait_group". Returns when at most the N
// newest groups of the executing thread are pending. It makes the copied bytes
// visible to that thread only: every other thread reads them after a barrier
// that follows the wait. So: wait_prior, barrier, read; and a barrier again
// before the buffer is overwritten. N is part of the instruction, hence a
// template argument. Never put it under a condition that differs within a warp.
//
// Below sm_80 every copy is complete at once and wait_prior does nothing.
//
// kpipe-inline: wait_prior
#ifndef KPIPE_RUNTIME_WAIT_PRIOR_H
#define KPIPE_RUNTIME_WAIT_PRIOR_H

namespace kpipe {

/// Waits until at most the _Pending newest groups of this thread are pending. A
/// barrier must follow before other threads read what was copied.
template <int _Pending> __device__ __forceinline__ void wait_prior() {
  static_assert(_Pending >= 0,
                "kpipe::wait_prior leaves 0 or more groups pending");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" : : "n"(_Pending) : "memory");
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_WAIT_PRIOR_H
// kpipe-inline: end
