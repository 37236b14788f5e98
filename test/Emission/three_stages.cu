// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cp.async, three stages. What kpipe makes of Inputs/nearest.cu.
// Look at i_ahead: it runs two tiles ahead of i and stops at the first value
// for which the condition fails, as the author's own variable does.
// wait_prior<1> leaves one tile in flight. One barrier a tile is enough: it
// publishes this tile, and frees the buffer of the tile before, which is where
// the next load goes.
//
// RUN: %golden %S/Inputs/nearest.cu %s --variant=cp-async --stages=3
// RUN: %execute %S/Inputs/nearest.cu %s --stages=3 --flag=-I%S/Inputs

#include <kpipe/pipeline.h>
constexpr int T = 32; // threads of a block, and points of a tile

// The squared distance of each query to the nearest of n points.
__global__ void __launch_bounds__(T)
nearest(const float4 *__restrict__ points, const float4 *__restrict__ queries,
        float *__restrict__ distance, int n) {
  __shared__ float4 tile_stages[3][T];
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
    int i_ahead = i;
    for (int slot = 0; slot < 2; ++slot) {
      if (i_ahead < n) {
        load_tile(i_ahead, slot);
        i_ahead += T;
      }
      kpipe::commit();
    }
    int stage = 0;
    // kpipe: pipelined - 2 tiles are copied ahead of the one that is computed
    for (; i_ahead < n; i += T, i_ahead += T) {
      kpipe::wait_prior<1>();
      __syncthreads();
      load_tile(i_ahead, kpipe::previous_stage<3>(stage));
      kpipe::commit();
      compute_tile(stage);
      stage = kpipe::next_stage<3>(stage);
    }
    // Drain: no more loads to issue.
    for (; i < n; i += T) {
      kpipe::wait_prior<1>();
      __syncthreads();
      kpipe::commit();
      compute_tile(stage);
      stage = kpipe::next_stage<3>(stage);
    }
  }
  distance[threadIdx.x] = least;
}

#ifdef KPIPE_HARNESS
#include "nearest.h"
#endif
