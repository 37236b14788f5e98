// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::sync_threads: __syncthreads() for the first threads of a block.
//
// PTX: bar.sync with a number and a count of threads; PTX ISA, "bar, barrier".
// Barrier 0 is that of __syncthreads(), for all threads.
//
// kpipe-inline: sync_threads
#ifndef KPIPE_RUNTIME_SYNC_THREADS_H
#define KPIPE_RUNTIME_SYNC_THREADS_H

namespace kpipe {

/// _Threads meet, whole warps.
template <int _Threads> __device__ __forceinline__ void sync_threads() {
  static_assert(_Threads > 0 && _Threads % 32 == 0,
                "kpipe::sync_threads is for whole warps");
#if defined(__CUDA_ARCH__)
  asm volatile("bar.sync 1, %0;" : : "n"(_Threads) : "memory");
#endif
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_SYNC_THREADS_H
// kpipe-inline: end
