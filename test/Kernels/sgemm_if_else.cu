// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partial tiles filled with zero by if and else.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

#define TILE_WIDTH 16

__global__ void __launch_bounds__(TILE_WIDTH *TILE_WIDTH)
sgemm_if_else(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
  __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int Row = blockIdx.y * TILE_WIDTH + ty;
  const int Col = blockIdx.x * TILE_WIDTH + tx;
  float Pvalue = 0;
  for (int p = 0; p < (K - 1) / TILE_WIDTH + 1; p++) {
    if (Row < M && p * TILE_WIDTH + tx < K) {
      ds_A[ty][tx] = A[Row * K + p * TILE_WIDTH + tx];
    } else {
      ds_A[ty][tx] = 0.0f;
    }
    if (p * TILE_WIDTH + ty < K && Col < N)
      ds_B[ty][tx] = B[(p * TILE_WIDTH + ty) * N + Col];
    else
      ds_B[ty][tx] = 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i)
      Pvalue += ds_A[ty][i] * ds_B[i][tx];
    __syncthreads();
  }
  if (Row < M && Col < N)
    C[Row * N + Col] = Pvalue;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_if_else) {
  for (int k : sizes(TILE_WIDTH)) {
    int m = 20, n = 25;
    auto a = in<float>("A", m * k), b = in<float>("B", k * n);
    auto c = out<float>("C", m * n);
    launch({dim3(2, 2), dim3(16, 16)}, sgemm_if_else, a, b, c, m, n, k);
  }
}
#endif
