// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kpipe::to_first_stage: the last tile moves to where the first one lay.
//
// kpipe-inline: to_first_stage
#ifndef KPIPE_RUNTIME_TO_FIRST_STAGE_H
#define KPIPE_RUNTIME_TO_FIRST_STAGE_H

namespace kpipe {

/// Copies `bytes` bytes of shared memory, a multiple of 16, that lie `distance`
/// bytes behind `first` to there. All threads of the block take part; none of
/// them may still use the first stage, and a barrier has to follow.
template <typename T>
__device__ void to_first_stage(T *first, int distance, int bytes) {
  if (distance == 0)
    return;
  int4 *to = (int4 *)first;
  const int4 *from = (const int4 *)((const char *)first + distance);
  int thread =
      (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  int threads = blockDim.x * blockDim.y * blockDim.z;
  for (int i = thread; i < bytes / 16; i += threads)
    to[i] = from[i];
}

} // namespace kpipe

#endif // KPIPE_RUNTIME_TO_FIRST_STAGE_H
// kpipe-inline: end
