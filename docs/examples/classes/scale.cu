// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile after tile through shared memory, each waited for as it is loaded.

constexpr int Tile = 128;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out,
                      int n) {
  __shared__ float tile[Tile];
  for (int i = 0; i < n; i += Tile) {
    tile[threadIdx.x] = i + threadIdx.x < n ? in[i + threadIdx.x] : 0.0f;
    __syncthreads();
    if (i + threadIdx.x < n)
      out[i + threadIdx.x] = tile[threadIdx.x] * 2.0f;
    __syncthreads();
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(scale) {
  for (int n : sizes(Tile)) {
    auto x = in<float>("x", n);
    auto y = out<float>("y", n);
    launch({dim3(1), dim3(Tile)}, scale, x, y, n);
  }
}
#endif
