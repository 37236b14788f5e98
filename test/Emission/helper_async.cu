// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper that fills the tile, cp.async. What kpipe makes of Inputs/helper.cu.
// Look at bring_async: a copy of the author's function, in which the store
// became an asynchronous one, and which stands in its place as nobody else calls
// that. load_tile calls it with the stage under the author's name.
//
// RUN: %golden %S/Inputs/helper.cu %s --variant=cp-async
// RUN: %execute %S/Inputs/helper.cu %s --stages=2 --flag=-I%S/Inputs

#include <kpipe/pipeline.h>
constexpr int T = 32; // threads of a block, and columns of a tile
constexpr int R = 8;  // rows of a tile

__device__ void bring_async(float (&tile)[R][T], const float *from) {
  for (int row = 0; row < R; ++row)
    kpipe::copy_async(&tile[row][threadIdx.x], &from[row * T + threadIdx.x]);
}

// y = x A, one column a thread.
__global__ void __launch_bounds__(T)
product(const float *__restrict__ A, const float *__restrict__ x,
        float *__restrict__ y, int rows) {
  __shared__ float tile_stages[2][R][T];
  float sum = 0;
  {
    auto load_tile = [&](int r, int stage) {
      auto &tile = tile_stages[stage];
      bring_async(tile, A + r * T);
    };
    auto compute_tile = [&](int r, int stage) {
      auto &tile = tile_stages[stage];
      for (int k = 0; k < R; ++k)
        sum += tile[k][threadIdx.x] * x[r + k];
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
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "helper.h"
#endif
