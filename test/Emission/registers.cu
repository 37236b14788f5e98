// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers, two buffers. What kpipe makes of Inputs/nearest.cu.
// Look at the loop: the load is split. fetch_tile issues the loads before the
// compute, store_tile writes shared memory after it, to the other buffer; one
// barrier a tile. It needs no header of kpipe.
//
// RUN: %golden %S/Inputs/nearest.cu %s --variant=ldg --stages=2
// RUN: %execute %S/Inputs/nearest.cu %s --stages=2 --flag=-I%S/Inputs

constexpr int T = 32; // threads of a block, and points of a tile

// The squared distance of each query to the nearest of n points.
__global__ void __launch_bounds__(T)
nearest(const float4 *__restrict__ points, const float4 *__restrict__ queries,
        float *__restrict__ distance, int n) {
  __shared__ float4 tile_stages[2][T];
  float4 q = queries[threadIdx.x];
  float least = 1e30f;
  {
    float4 tile_reg;
    auto fetch_tile = [&](int i) { tile_reg = points[i + threadIdx.x]; };
    auto store_tile = [&](int stage) {
      auto &tile = tile_stages[stage];
      tile[threadIdx.x] = tile_reg;
    };
    auto compute_tile = [&](int stage) {
      auto &tile = tile_stages[stage];
      for (int j = 0; j < T; ++j) {
        float x = tile[j].x - q.x, y = tile[j].y - q.y, z = tile[j].z - q.z;
        least = fminf(least, x * x + y * y + z * z);
      }
    };
    int i = 0;
    if (i < n) {
      fetch_tile(i);
      store_tile(0);
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is fetched while this one is computed
      for (; i + T < n; i += T) {
        fetch_tile(i + T);
        compute_tile(stage);
        store_tile(stage ^ 1);
        __syncthreads();
        stage ^= 1;
      }
      compute_tile(stage);
    }
  }
  distance[threadIdx.x] = least;
}

#ifdef KPIPE_HARNESS
#include "nearest.h"
#endif
