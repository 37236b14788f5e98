// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaders whose text stands elsewhere. What kpipe makes of
// Inputs/matmul_loaders.cu, whose tiles a macro and a closure fill: their text is
// in the place of the calls, and the closure is gone, as nobody calls it any more.
//
// RUN: %golden %S/Inputs/matmul_loaders.cu %s
// RUN: %execute %S/Inputs/matmul_loaders.cu %s --flag=-I%S/Inputs

#include <kpipe/pipeline.h>
constexpr int BM = 32, BK = 16;

#define LOAD_A(Tile, From, Pitch)                          \
  do {                                                     \
    for (int i = threadIdx.x; i < BM * BK; i += 256)       \
      Tile[i / BK][i % BK] = From[(row + i / BK) * (Pitch) + k0 + i % BK]; \
  } while (0)

__global__ void __launch_bounds__(256)
matmul(const float *__restrict__ A, const float *__restrict__ B,
       float *__restrict__ C, int N, int K) {
  __shared__ float As_stages[2][BM][BK], Bs_stages[2][BK][32];
  const int row = blockIdx.y * BM, col = blockIdx.x * 32;
  const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
  float sum[4] = {};
  {
    float As_reg[kpipe::ceil_div(BM * BK, 256)];
    float Bs_reg[kpipe::ceil_div(BK * 32, 256)];
    auto fetch_tile = [&](int k0) {
      {
#pragma unroll
        for (int i = threadIdx.x, part = 0;
             part < kpipe::ceil_div(BM * BK, 256); i += 256, ++part)
          As_reg[part] = A[(row + i / BK) * K + k0 + i % BK];
      }
      {
        int k_ = k0;
#pragma unroll
        for (int i = threadIdx.x, part = 0;
             part < kpipe::ceil_div(BK * 32, 256); i += 256, ++part)
          Bs_reg[part] = B[(k_ + i / 32) * N + col + i % 32];
      }
    };
    auto store_tile = [&](int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
      {
#pragma unroll
        for (int i = threadIdx.x, part = 0;
             part < kpipe::ceil_div(BM * BK, 256); i += 256, ++part)
          As[i / BK][i % BK] = As_reg[part];
      }
      {
#pragma unroll
        for (int i = threadIdx.x, part = 0;
             part < kpipe::ceil_div(BK * 32, 256); i += 256, ++part)
          Bs[i / 32][i % 32] = Bs_reg[part];
      }
    };
    auto compute_tile = [&](int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
      for (int k = 0; k < BK; ++k)
        for (int r = 0; r < 4; ++r)
          sum[r] += As[ty + 8 * r][k] * Bs[k][tx];
    };
    int k0 = 0;
    if (k0 < K) {
      fetch_tile(k0);
      store_tile(0);
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is fetched while this one is computed
      for (; k0 + BK < K; k0 += BK) {
        fetch_tile(k0 + BK);
        compute_tile(stage);
        store_tile(stage ^ 1);
        __syncthreads();
        stage ^= 1;
      }
      compute_tile(stage);
    }
  }
  for (int r = 0; r < 4; ++r)
    C[(row + ty + 8 * r) * N + col + tx] = sum[r];
}

#ifdef KPIPE_HARNESS
#include "matmul_loaders.h"
#endif
