// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::ptx::elect_one: one lane of a warp, always the same.
//
// PTX ISA, "elect.sync", sm_90. On sm_80 it is lane 0 (%laneid).
#ifndef KPIPE_ASYNC_PTX_ELECT_ONE_H
#define KPIPE_ASYNC_PTX_ELECT_ONE_H

namespace kpipe {
namespace ptx {

/// The number of the executing lane in its warp, 0 to 31. %laneid.
__device__ __forceinline__ unsigned lane() {
  unsigned __lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(__lane));
  return __lane;
}

/// True in one lane. All 32 lanes of the warp call it together; fewer are
/// undefined. It orders no memory.
__device__ __forceinline__ bool elect_one() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  unsigned __elected;
  asm volatile("{.reg .pred p; "
               "elect.sync _|p, 0xffffffff; "
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(__elected));
  return __elected != 0;
#else
  return lane() == 0;
#endif
}

} // namespace ptx
} // namespace kpipe

#endif // KPIPE_ASYNC_PTX_ELECT_ONE_H
