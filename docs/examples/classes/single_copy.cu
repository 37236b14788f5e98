// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One asynchronous copy of a whole block, without a pipeline: a barrier that
// every thread arrives at once, when its copies have landed.
#include <kpipe/copy_async.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 256;

__global__ void reverse(const float *in, float *out) {
  __shared__ float tile[Tile];
  __shared__ alignas(8) std::uint64_t landed;
  if (threadIdx.x == 0)
    kpipe::ptx::mbarrier_init(&landed, blockDim.x);
  __syncthreads();

  for (int i = threadIdx.x; i < Tile; i += blockDim.x)
    kpipe::copy_async(&tile[i], &in[blockIdx.x * Tile + i]);
  kpipe::ptx::mbarrier_arrive_after_copies(&landed);
  kpipe::ptx::mbarrier_wait(&landed, 0);

  for (int i = threadIdx.x; i < Tile; i += blockDim.x)
    out[blockIdx.x * Tile + i] = tile[Tile - 1 - i];
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(reverse) {
  auto x = in<float>("x", 3 * Tile);
  auto y = out<float>("y", 3 * Tile);
  launch({dim3(3), dim3(96)}, reverse, x, y);
}
#endif
