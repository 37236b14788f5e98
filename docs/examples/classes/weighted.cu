// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of tiles, each third of which has weights of its own.

constexpr int Tile = 512, Threads = 128;

__global__ void weighted(const float *in, const float *weights, float *out,
                         int tiles) {
  __shared__ float tile[Tile], weight[Tile];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    for (int j = threadIdx.x; j < Tile; j += Threads) {
      tile[j] = in[t * Tile + j];
      if (t % 3 == 0)
        weight[j] = weights[t / 3 * Tile + j];
    }
    __syncthreads();
    for (int j = threadIdx.x; j < Tile; j += Threads)
      sum += tile[Tile - 1 - j] * weight[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(weighted) {
  for (int tiles : sizes(2)) {
    auto x = in<float>("x", tiles * Tile);
    auto w = in<float>("w", (tiles + 2) / 3 * Tile);
    auto y = out<float>("y", Threads);
    launch({dim3(1), dim3(Threads)}, weighted, x, w, y, tiles);
  }
}
#endif
