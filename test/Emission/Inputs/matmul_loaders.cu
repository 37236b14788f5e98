// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One tile is filled by a macro, the other by a closure.

constexpr int BM = 32, BK = 16;

#define LOAD_A(Tile, From, Pitch)                          \
  do {                                                     \
    for (int i = threadIdx.x; i < BM * BK; i += 256)       \
      Tile[i / BK][i % BK] = From[(row + i / BK) * (Pitch) + k0 + i % BK]; \
  } while (0)

__global__ void __launch_bounds__(256)
matmul(const float *__restrict__ A, const float *__restrict__ B,
       float *__restrict__ C, int N, int K) {
  __shared__ float As[BM][BK], Bs[BK][32];
  const int row = blockIdx.y * BM, col = blockIdx.x * 32;
  const int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
  auto load_b = [&](int k) {
    for (int i = threadIdx.x; i < BK * 32; i += 256)
      Bs[i / 32][i % 32] = B[(k + i / 32) * N + col + i % 32];
  };
  float sum[4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    LOAD_A(As, A, K);
    load_b(k0);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int r = 0; r < 4; ++r)
        sum[r] += As[ty + 8 * r][k] * Bs[k][tx];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    C[(row + ty + 8 * r) * N + col + tx] = sum[r];
}

#ifdef KPIPE_HARNESS
#include "matmul_loaders.h"
#endif
