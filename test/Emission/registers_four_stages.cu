// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers, three tiles in flight. What kpipe makes of Inputs/nearest.cu.
// Look at the inner loop: slot has to be a constant, since it selects
// registers, so the loop runs in turns of three, which are unrolled. A tile is
// stored at the head of its own turn and leaves its slot to the fetch that
// follows. Shared memory has two buffers however many tiles are in flight.
//
// RUN: %golden %S/Inputs/nearest.cu %s --variant=ldg --stages=4
// RUN: %execute %S/Inputs/nearest.cu %s --stages=4 --flag=-I%S/Inputs

constexpr int T = 32; // threads of a block, and points of a tile

// The squared distance of each query to the nearest of n points.
__global__ void __launch_bounds__(T)
nearest(const float4 *__restrict__ points, const float4 *__restrict__ queries,
        float *__restrict__ distance, int n) {
  __shared__ float4 tile_stages[2][T];
  float4 q = queries[threadIdx.x];
  float least = 1e30f;
  {
    float4 tile_reg[3];
    auto fetch_tile = [&](int i, int slot) {
      tile_reg[slot] = points[i + threadIdx.x];
    };
    auto store_tile = [&](int stage, int slot) {
      auto &tile = tile_stages[stage];
      tile[threadIdx.x] = tile_reg[slot];
    };
    auto compute_tile = [&](int stage) {
      auto &tile = tile_stages[stage];
      for (int j = 0; j < T; ++j) {
        float x = tile[j].x - q.x, y = tile[j].y - q.y, z = tile[j].z - q.z;
        least = fminf(least, x * x + y * y + z * z);
      }
    };
    int i = 0;
    int i_ahead = i;
#pragma unroll
    for (int slot = 0; slot < 3; ++slot) {
      if (i_ahead < n) {
        fetch_tile(i_ahead, slot);
        i_ahead += T;
      }
    }
    int stage = 0;
    while (i < n) {
#pragma unroll
      // kpipe: pipelined - 3 tiles are fetched ahead of the one that is
      // computed
      for (int slot = 0; slot < 3 && i < n; ++slot, i += T) {
        store_tile(stage, slot);
        __syncthreads();
        if (i_ahead < n) {
          fetch_tile(i_ahead, slot);
          i_ahead += T;
        }
        compute_tile(stage);
        stage ^= 1;
      }
    }
  }
  distance[threadIdx.x] = least;
}

#ifdef KPIPE_HARNESS
#include "nearest.h"
#endif
