// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers, one buffer. What kpipe makes of Inputs/nearest.cu.
// Look at the loop: the next tile waits in tile_reg while this one is computed.
// With one buffer it needs two barriers: all threads have read before it is
// stored, and all have stored before it is read. The author's declaration stays
// as it is.
//
// RUN: %golden %S/Inputs/nearest.cu %s --variant=ldg --stages=1
// RUN: %execute %S/Inputs/nearest.cu %s --stages=2 --flag=-I%S/Inputs

constexpr int T = 32; // threads of a block, and points of a tile

// The squared distance of each query to the nearest of n points.
__global__ void __launch_bounds__(T)
nearest(const float4 *__restrict__ points, const float4 *__restrict__ queries,
        float *__restrict__ distance, int n) {
  __shared__ float4 tile[T];
  float4 q = queries[threadIdx.x];
  float least = 1e30f;
  {
    float4 tile_reg;
    auto fetch_tile = [&](int i) { tile_reg = points[i + threadIdx.x]; };
    auto store_tile = [&]() { tile[threadIdx.x] = tile_reg; };
    auto compute_tile = [&]() {
      for (int j = 0; j < T; ++j) {
        float x = tile[j].x - q.x, y = tile[j].y - q.y, z = tile[j].z - q.z;
        least = fminf(least, x * x + y * y + z * z);
      }
    };
    int i = 0;
    if (i < n) {
      fetch_tile(i);
      store_tile();
      __syncthreads();
      // kpipe: pipelined - the next tile is fetched while this one is computed
      for (; i + T < n; i += T) {
        fetch_tile(i + T);
        compute_tile();
        __syncthreads();
        store_tile();
        __syncthreads();
      }
      compute_tile();
    }
  }
  distance[threadIdx.x] = least;
}

#ifdef KPIPE_HARNESS
#include "nearest.h"
#endif
