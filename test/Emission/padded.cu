// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Longer rows. What kpipe makes of Inputs/transposed.cu.
// Look at the declaration: rows have one element more, so that the column that
// a warp reads is spread over the banks. No index changes. The loop of the copy
// is counted by `part`, the index of the register.
//
// RUN: %golden %S/Inputs/transposed.cu %s
// RUN: %execute %S/Inputs/transposed.cu %s --stages=2 --flag=-I%S/Inputs

#include <kpipe/pipeline.h>
constexpr int T = 32; // threads of a block, and rows of a tile
constexpr int C = 16; // columns of a tile

// y = A x, one row a thread. A warp reads a column of the tile at once: half of
// it lies in one bank, half in another.
__global__ void __launch_bounds__(T)
rows(const float *__restrict__ A, const float *__restrict__ x,
     float *__restrict__ y, int columns) {
  __shared__ float tile_stages[2][T][C + 1];
  float sum = 0;
  {
    float tile_reg[kpipe::ceil_div(T * C, T)];
    auto fetch_tile = [&](int c) {
#pragma unroll
      for (int i = threadIdx.x, part = 0; part < kpipe::ceil_div(T * C, T);
           i += T, ++part)
        tile_reg[part] = A[i / C * columns + c + i % C];
    };
    auto store_tile = [&](int stage) {
      auto &tile = tile_stages[stage];
#pragma unroll
      for (int i = threadIdx.x, part = 0; part < kpipe::ceil_div(T * C, T);
           i += T, ++part)
        tile[i / C][i % C] = tile_reg[part];
    };
    auto compute_tile = [&](int c, int stage) {
      auto &tile = tile_stages[stage];
      for (int k = 0; k < C; ++k)
        sum += tile[threadIdx.x][k] * x[c + k];
    };
    int c = 0;
    if (c < columns) {
      fetch_tile(c);
      store_tile(0);
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is fetched while this one is computed
      for (; c + C < columns; c += C) {
        fetch_tile(c + C);
        compute_tile(c, stage);
        store_tile(stage ^ 1);
        __syncthreads();
        stage ^= 1;
      }
      compute_tile(c, stage);
    }
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "transposed.h"
#endif
