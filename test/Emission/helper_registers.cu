// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper that fills the tile, registers. What kpipe makes of Inputs/helper.cu.
// Look at bring_fetch and bring_store: the two halves of the author's function,
// in its place, each with the parameters that it needs, and a struct for what a
// thread holds between them. Loops are unrolled there,
// since an index of registers has to be a constant.
//
// RUN: %golden %S/Inputs/helper.cu %s --variant=ldg
// RUN: %execute %S/Inputs/helper.cu %s --stages=2 --flag=-I%S/Inputs

constexpr int T = 32; // threads of a block, and columns of a tile
constexpr int R = 8;  // rows of a tile

// What one thread holds of a tile between fetch and store.
struct bring_tile {
  float tile[R];
};

__device__ void bring_fetch(const float *from, bring_tile &held_tile) {
#pragma unroll
  for (int row = 0; row < R; ++row)
    held_tile.tile[row] = from[row * T + threadIdx.x];
}

__device__ void bring_store(float (&tile)[R][T], const bring_tile &held_tile) {
#pragma unroll
  for (int row = 0; row < R; ++row)
    tile[row][threadIdx.x] = held_tile.tile[row];
}

// y = x A, one column a thread.
__global__ void __launch_bounds__(T)
product(const float *__restrict__ A, const float *__restrict__ x,
        float *__restrict__ y, int rows) {
  __shared__ float tile_stages[2][R][T];
  float sum = 0;
  {
    bring_tile held_tile;
    auto fetch_tile = [&](int r) { bring_fetch(A + r * T, held_tile); };
    auto store_tile = [&](int stage) {
      auto &tile = tile_stages[stage];
      bring_store(tile, held_tile);
    };
    auto compute_tile = [&](int r, int stage) {
      auto &tile = tile_stages[stage];
      for (int k = 0; k < R; ++k)
        sum += tile[k][threadIdx.x] * x[r + k];
    };
    int r = 0;
    if (r < rows) {
      fetch_tile(r);
      store_tile(0);
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is fetched while this one is computed
      for (; r + R < rows; r += R) {
        fetch_tile(r + R);
        compute_tile(r, stage);
        store_tile(stage ^ 1);
        __syncthreads();
        stage ^= 1;
      }
      compute_tile(r, stage);
    }
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "helper.h"
#endif
