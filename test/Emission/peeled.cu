// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cp.async, two stages, peeled. What kpipe makes of Inputs/nearest.cu.
// Look at the loop: it always has a next tile, so its load is unconditional.
// The last tile is computed behind it, from the same lambda. The barrier at the
// end of a turn publishes the next tile and frees the buffer of this one.
//
// RUN: %golden %S/Inputs/nearest.cu %s --variant=cp-async --schedule=peeled
// RUN: %execute %S/Inputs/nearest.cu %s --stages=2 --flag=-I%S/Inputs

#include <kpipe/pipeline.h>
constexpr int T = 32; // threads of a block, and points of a tile

// The squared distance of each query to the nearest of n points.
__global__ void __launch_bounds__(T)
nearest(const float4 *__restrict__ points, const float4 *__restrict__ queries,
        float *__restrict__ distance, int n) {
  __shared__ float4 tile_stages[2][T];
  float4 q = queries[threadIdx.x];
  float least = 1e30f;
  {
    auto load_tile = [&](int i, int stage) {
      auto &tile = tile_stages[stage];
      kpipe::copy_async(&tile[threadIdx.x], &points[i + threadIdx.x]);
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
      load_tile(i, 0);
      kpipe::commit();
      kpipe::wait_prior<0>();
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is copied while this one is computed
      for (; i + T < n; i += T) {
        load_tile(i + T, stage ^ 1);
        kpipe::commit();
        compute_tile(stage);
        kpipe::wait_prior<0>();
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
