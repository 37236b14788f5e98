// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers in shared memory of the own block: initialisation and arrivals.
// Waiting is in mbarrier_wait.h.
//
// PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
// A barrier goes through phases 0, 1, 2, ... A phase ends when as many arrivals
// have come as mbarrier_init said (1 to 2^20-1) and as many bytes as were
// expected have landed; the next one then begins with the same number of
// arrivals. An arrival has release semantics at the scope of the block: who has
// waited for the phase sees what the threads that arrived in it had written.
// One arrival too many in a phase is undefined.
#ifndef KPIPE_ASYNC_PTX_MBARRIER_H
#define KPIPE_ASYNC_PTX_MBARRIER_H

#include "../architecture.h"
#include "shared_address.h"
#include <cstdint>

namespace kpipe {
namespace ptx {

/// Begins phase 0 of a barrier at which __arrivals arrive in each phase. One
/// thread calls it, once; others use the barrier after a fence (fence.h) and a
/// barrier of the block. mbarrier.init, sm_80.
__device__ __forceinline__ void mbarrier_init(std::uint64_t *__barrier,
                                              unsigned __arrivals) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;"
               :
               : "r"(shared_address(__barrier)), "r"(__arrivals)
               : "memory");
#else
  __detail::__needs_sm_80(__barrier, __arrivals);
#endif
}

/// Ends the life of a barrier: its 8 bytes may then hold something else. No
/// thread may wait at it any more. mbarrier.inval, sm_80.
__device__ __forceinline__ void mbarrier_inval(std::uint64_t *__barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];"
               :
               : "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_80(__barrier);
#endif
}

/// One arrival. mbarrier.arrive, sm_80.
__device__ __forceinline__ void mbarrier_arrive(std::uint64_t *__barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];"
               :
               : "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_80(__barrier);
#endif
}

/// One arrival, the last of its owner: later phases expect one less.
/// mbarrier.arrive_drop, sm_80.
__device__ __forceinline__ void mbarrier_arrive_drop(std::uint64_t *__barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];"
               :
               : "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_80(__barrier);
#endif
}

/// The current phase waits for __bytes more, and one arrival. At most 2^20-1
/// bytes may be outstanding. mbarrier.arrive.expect_tx, sm_90.
__device__ __forceinline__ void
mbarrier_arrive_expect_tx(std::uint64_t *__barrier, unsigned __bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(shared_address(__barrier)), "r"(__bytes)
               : "memory");
#else
  __detail::__needs_sm_90(__barrier, __bytes);
#endif
}

/// The current phase waits for __bytes more; no arrival. mbarrier.expect_tx,
/// sm_90.
__device__ __forceinline__ void mbarrier_expect_tx(std::uint64_t *__barrier,
                                                   unsigned __bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               :
               : "r"(shared_address(__barrier)), "r"(__bytes)
               : "memory");
#else
  __detail::__needs_sm_90(__barrier, __bytes);
#endif
}

/// One arrival that comes by itself when all copies that this thread has begun
/// with copy_async have landed; it is one of those that mbarrier_init counted.
/// It says nothing about plain stores. cp.async.mbarrier.arrive.noinc, sm_80.
__device__ __forceinline__ void
mbarrier_arrive_after_copies(std::uint64_t *__barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];"
               :
               : "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_80(__barrier);
#endif
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_MBARRIER_H
