// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in the author's dynamic shared memory. What kpipe makes of Inputs/dynamic.cu.
// Look at the launch: it asks for its bytes once per stage. In the kernel the
// bytes of a stage come from the size of the block, and each view of it moves
// by them.
//
// RUN: %golden %S/Inputs/dynamic.cu %s
// RUN: %execute %S/Inputs/dynamic.cu %s --stages=2 --flag=-I%S/Inputs

#include <cuda_runtime.h>
#include <kpipe/pipeline.h>

constexpr int T = 32; // threads of a block, and elements of a tile

// The circular correlation of two series, tile by tile.
__global__ void __launch_bounds__(T)
correlate(const float *__restrict__ x, const float *__restrict__ w,
          float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *xs = smem;
  float *ws = smem + T;
  float sum = 0;
  {
    const int stage_bytes = kpipe::bytes_per_stage<2>();
    auto *xs_stages = xs;
    auto *ws_stages = ws;
    float xs_reg;
    float ws_reg;
    auto fetch_tile = [&](int i) {
      xs_reg = x[i + threadIdx.x];
      ws_reg = w[i + threadIdx.x];
    };
    auto store_tile = [&](int stage) {
      auto *xs = kpipe::advance_bytes(xs_stages, stage * stage_bytes);
      auto *ws = kpipe::advance_bytes(ws_stages, stage * stage_bytes);
      xs[threadIdx.x] = xs_reg;
      ws[threadIdx.x] = ws_reg;
    };
    auto compute_tile = [&](int stage) {
      auto *xs = kpipe::advance_bytes(xs_stages, stage * stage_bytes);
      auto *ws = kpipe::advance_bytes(ws_stages, stage * stage_bytes);
      for (int j = 0; j < T; ++j)
        sum += xs[j] * ws[(j + threadIdx.x) % T];
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
  y[threadIdx.x] = sum;
}

void run(const float *x, const float *w, float *y, int n) {
  correlate<<<1, T, kpipe::staged_bytes<2>(2 * T * sizeof(float))>>>(x, w, y,
                                                                     n);
}

#ifdef KPIPE_HARNESS
#include "dynamic.h"
#endif
