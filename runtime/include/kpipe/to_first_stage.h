// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::to_first_stage: the last tile moves to where the first one lay.
//
// kpipe-inline: to_first_stage
#ifndef KPIPE_RUNTIME_TO_FIRST_STAGE_H
#define KPIPE_RUNTIME_TO_FIRST_STAGE_H

namespace kpipe {

/// Copies __bytes bytes of shared memory, a multiple of 16, that lie __distance
/// bytes behind __first to there. All threads of the block take part; none of
/// them may still use the first stage, and a barrier has to follow.
template <typename _Tp>
__device__ void to_first_stage(_Tp *__first, int __distance, int __bytes) {
  if (__distance == 0)
    return;
  int4 *__to = (int4 *)__first;
  const int4 *__from = (const int4 *)((const char *)__first + __distance);
  int __self =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int __threads = blockDim.x * blockDim.y * blockDim.z;
  for (int __i = __self; __i < __bytes / 16; __i += __threads)
    __to[__i] = __from[__i];
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TO_FIRST_STAGE_H
// kpipe-inline: end
