// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::group: how many threads are producers or consumers. Which ones is up
// to the kernel: those that call.
#ifndef KPIPE_ASYNC_GROUP_H
#define KPIPE_ASYNC_GROUP_H

namespace kpipe {

/// A number of threads of the block.
struct group {
  unsigned size;
};

__device__ __forceinline__ group threads(unsigned __count) { return {__count}; }

/// Whole warps.
__device__ __forceinline__ group warps(unsigned __count) {
  return {32 * __count};
}

/// All threads of the block.
__device__ __forceinline__ group whole_block() {
  return {blockDim.x * blockDim.y * blockDim.z};
}

} // namespace kpipe

#endif // KPIPE_ASYNC_GROUP_H
