// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::commit: closes the executing thread's group of asynchronous copies.
//
// PTX: cp.async.commit_group (sm_80 and newer); PTX ISA, "Data Movement and
// Conversion Instructions: cp.async.commit_group". All copies that this thread
// has issued and not yet committed become one group, the newest. Groups are
// counted per thread, and an empty group is complete: commit once per tile in
// every thread, also where nothing was issued, or wait_prior counts wrongly.
// Never put it under a condition that is not the same for the whole warp:
// divergent commits make wait_prior wait for more than was meant.
//
// Below sm_80 every copy is complete at once and commit does nothing.
//
// kpipe-inline: commit
#ifndef KPIPE_RUNTIME_COMMIT_H
#define KPIPE_RUNTIME_COMMIT_H

namespace kpipe {

/// Closes the group of the copies that this thread issued since its last
/// commit.
__device__ __forceinline__ void commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_COMMIT_H
// kpipe-inline: end
