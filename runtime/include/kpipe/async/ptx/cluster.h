// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What blocks of one cluster say to each other: arrivals at another block's
// barrier, waiting for those, and the barrier of the cluster. sm_90.
//
// PTX ISA, "mapa", "mbarrier.arrive" (.shared::cluster), "mbarrier.try_wait"
// (.acquire.cluster), "barrier.cluster". A block must not end before the last
// arrival at one of its barriers.
#ifndef KPIPE_ASYNC_PTX_CLUSTER_H
#define KPIPE_ASYNC_PTX_CLUSTER_H

#include "../architecture.h"
#include "shared_address.h"
#include <cstdint>

namespace kpipe {
namespace ptx {

/// The address in the cluster's window of what lies in block __block (its rank
/// in the cluster) where __object lies in this one. mapa.
__device__ __forceinline__ unsigned cluster_address(const void *__object,
                                                    unsigned __block) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned __address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(__address)
               : "r"(shared_address(__object)), "r"(__block));
  return __address;
#else
  return __detail::__needs_sm_90(__object, __block);
#endif
}

/// One arrival at a barrier that cluster_address() named, with release
/// semantics at the scope of the cluster. mbarrier.arrive.
__device__ __forceinline__ void mbarrier_arrive_cluster(unsigned __address) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];"
               :
               : "r"(__address)
               : "memory");
#else
  __detail::__needs_sm_90(__address);
#endif
}

/// As mbarrier_try, for a barrier of the own block at which threads of others
/// arrive. mbarrier.try_wait.parity.acquire.cluster.
__device__ __forceinline__ bool mbarrier_try_cluster(std::uint64_t *__barrier,
                                                     unsigned __parity) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned __done;
  asm volatile(
      "{.reg .pred p; "
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
      "selp.u32 %0, 1, 0, p;}"
      : "=r"(__done)
      : "r"(shared_address(__barrier)), "r"(__parity)
      : "memory");
  return __done != 0;
#else
  return __detail::__needs_sm_90(__barrier, __parity);
#endif
}

/// All threads of all blocks of the cluster arrive, and release what they
/// wrote. barrier.cluster.arrive.
__device__ __forceinline__ void cluster_arrive() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.arrive.release.aligned;" : : : "memory");
#else
  __detail::__needs_sm_90();
#endif
}

/// Waits for cluster_arrive() of all threads. barrier.cluster.wait.
__device__ __forceinline__ void cluster_wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("barrier.cluster.wait.acquire.aligned;" : : : "memory");
#else
  __detail::__needs_sm_90();
#endif
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_CLUSTER_H
