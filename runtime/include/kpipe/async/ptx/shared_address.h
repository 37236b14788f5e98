// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::ptx::shared_address: what instructions on shared memory take.
#ifndef KPIPE_ASYNC_PTX_SHARED_ADDRESS_H
#define KPIPE_ASYNC_PTX_SHARED_ADDRESS_H

namespace kpipe {
namespace ptx {

/// The address in the shared window of an object in the block's shared memory,
/// in bytes. In the window of a cluster it means the same object.
__device__ __forceinline__ unsigned shared_address(const void *__object) {
  return static_cast<unsigned>(__cvta_generic_to_shared(__object));
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_SHARED_ADDRESS_H
