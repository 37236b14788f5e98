// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static arrays that outgrow 48 KB. What kpipe makes of Inputs/outgrown.cu.
// Look at the declaration: two stages of 32 KB are more than static shared
// memory may have. They become a reference into dynamic shared memory, a
// constant counts the bytes, and the launch opts in.
//
// RUN: %golden %S/Inputs/outgrown.cu %s --variant=cp-async --allow-occupancy-drop
// RUN: %execute %S/Inputs/outgrown.cu %s --stages=2 --flag=-I%S/Inputs

#include <cuda_runtime.h>
#include <kpipe/pipeline.h>

constexpr int T = 64; // threads of a block, and columns of a tile
constexpr int R = 32; // rows of a tile, which has 32 KB

// Bytes of dynamic shared memory of columns().
constexpr unsigned columns_shared_bytes = sizeof(float4[2][R][T]);

// The weighted sum of each column of a matrix.
__global__ void __launch_bounds__(T)
columns(const float4 *__restrict__ A, const float *__restrict__ weight,
        float4 *__restrict__ sums, int rows) {
  extern __shared__ __align__(16) unsigned char columns_shared[];
  auto &tile_stages = *reinterpret_cast<float4(*)[2][R][T]>(columns_shared);
  float4 sum = {0, 0, 0, 0};
  {
    auto load_tile = [&](int r, int stage) {
      auto &tile = tile_stages[stage];
      for (int i = 0; i < R; ++i)
        kpipe::copy_async(&tile[i][threadIdx.x], &A[(r + i) * T + threadIdx.x]);
    };
    auto compute_tile = [&](int r, int stage) {
      auto &tile = tile_stages[stage];
      for (int i = 0; i < R; ++i) {
        sum.x += tile[i][threadIdx.x].x * weight[r + i];
        sum.y += tile[i][threadIdx.x].y * weight[r + i];
      }
    };
    int r = 0;
    if (r < rows) {
      load_tile(r, 0);
      kpipe::commit();
      kpipe::wait_prior<0>();
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is copied while this one is computed
      for (; r + R < rows; r += R) {
        load_tile(r + R, stage ^ 1);
        kpipe::commit();
        compute_tile(r, stage);
        kpipe::wait_prior<0>();
        __syncthreads();
        stage ^= 1;
      }
      compute_tile(r, stage);
    }
  }
  sums[threadIdx.x] = sum;
}

void run(const float4 *A, const float *weight, float4 *sums, int rows) {
  columns<<<1, T, kpipe::opt_in_shared(columns, columns_shared_bytes)>>>(
      A, weight, sums, rows);
}

#ifdef KPIPE_HARNESS
#include "outgrown.h"
#endif
