// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies from global to shared memory that the copy engine makes. sm_90. One
// thread begins a copy; its bytes count at a barrier that was told to expect
// them (mbarrier_arrive_expect_tx).
//
// PTX ISA, "cp.async.bulk" and "cp.async.bulk.tensor". Both are of the async
// proxy: fence_proxy_async stands between loads of what is overwritten and the
// copy. Bulk copies take addresses and a size that are multiples of 16. Tensor
// copies take a CUtensorMap, a `const __grid_constant__` parameter of the
// kernel, and a destination that is a multiple of 128 (of 1024 with the widest
// swizzle); what lies outside of the tensor is filled with zeros, which count.
#ifndef KPIPE_ASYNC_PTX_COPY_BULK_H
#define KPIPE_ASYNC_PTX_COPY_BULK_H

#include "../architecture.h"
#include "shared_address.h"
#include <cstdint>

namespace kpipe {
namespace ptx {

/// Copies __bytes contiguous bytes from global __src to shared __dst.
__device__ __forceinline__ void copy_bulk(void *__dst, const void *__src,
                                          unsigned __bytes,
                                          std::uint64_t *__barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];"
               :
               : "r"(shared_address(__dst)),
                 "l"(__cvta_generic_to_global(__src)), "r"(__bytes),
                 "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_90(__dst, __src, __bytes, __barrier);
#endif
}

/// Copies to the same place in each block of the cluster whose bit is set in
/// __blocks; the bytes count at each block's own barrier.
__device__ __forceinline__ void
copy_bulk_multicast(void *__dst, const void *__src, unsigned __bytes,
                    std::uint64_t *__barrier, unsigned short __blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
               :
               : "r"(shared_address(__dst)),
                 "l"(__cvta_generic_to_global(__src)), "r"(__bytes),
                 "r"(shared_address(__barrier)), "h"(__blocks)
               : "memory");
#else
  __detail::__needs_sm_90(__dst, __src, __bytes, __barrier, __blocks);
#endif
}

/// Copies the box of a matrix whose first element is (__x, __y), __x along
/// memory. The box has the size that the map says, also at the edges.
__device__ __forceinline__ void copy_tensor_2d(void *__dst, const void *__map,
                                               int __x, int __y,
                                               std::uint64_t *__barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               :
               : "r"(shared_address(__dst)), "l"(__map), "r"(__x), "r"(__y),
                 "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_90(__dst, __map, __x, __y, __barrier);
#endif
}

/// The same of a tensor of three dimensions.
__device__ __forceinline__ void copy_tensor_3d(void *__dst, const void *__map,
                                               int __x, int __y, int __z,
                                               std::uint64_t *__barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::"
               "complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
               :
               : "r"(shared_address(__dst)), "l"(__map), "r"(__x), "r"(__y),
                 "r"(__z), "r"(shared_address(__barrier))
               : "memory");
#else
  __detail::__needs_sm_90(__dst, __map, __x, __y, __z, __barrier);
#endif
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_COPY_BULK_H
