// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cp.async and registers in one loop. What kpipe makes of Inputs/weighted.cu.
// Look at fetch_tile: the points are copied asynchronously, the weights are
// changed on their way and wait in a register. The commit stands before the
// compute, the store and the wait after it.
//
// RUN: %golden %S/Inputs/weighted.cu %s
// RUN: %execute %S/Inputs/weighted.cu %s --stages=2 --flag=-I%S/Inputs

#include <kpipe/pipeline.h>
constexpr int T = 32; // threads of a block, and points of a tile

// The sum of 1 / distance of each query to n points, weighted.
__global__ void __launch_bounds__(T)
weighted(const float4 *__restrict__ points, const signed char *__restrict__ weights,
         const float4 *__restrict__ queries, float *__restrict__ sums, int n) {
  __shared__ float4 tile_stages[2][T];
  __shared__ float weight_stages[2][T];
  float4 q = queries[threadIdx.x];
  float sum = 0;
  {
    float weight_reg;
    auto fetch_tile = [&](int i, int stage) {
      auto &tile = tile_stages[stage];
      kpipe::copy_async(&tile[threadIdx.x], &points[i + threadIdx.x]);
      weight_reg = 0.125f * weights[i + threadIdx.x];
    };
    auto store_tile = [&](int stage) {
      auto &weight = weight_stages[stage];
      weight[threadIdx.x] = weight_reg;
    };
    auto compute_tile = [&](int stage) {
      auto &tile = tile_stages[stage];
      auto &weight = weight_stages[stage];
      for (int j = 0; j < T; ++j) {
        float x = tile[j].x - q.x, y = tile[j].y - q.y;
        sum += weight[j] * rsqrtf(x * x + y * y + 1);
      }
    };
    int i = 0;
    if (i < n) {
      fetch_tile(i, 0);
      kpipe::commit();
      store_tile(0);
      kpipe::wait_prior<0>();
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is copied while this one is computed
      for (; i + T < n; i += T) {
        fetch_tile(i + T, stage ^ 1);
        kpipe::commit();
        compute_tile(stage);
        store_tile(stage ^ 1);
        kpipe::wait_prior<0>();
        __syncthreads();
        stage ^= 1;
      }
      compute_tile(stage);
    }
  }
  sums[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "weighted.h"
#endif
