// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiled matrix product as textbooks write it: tile counter, 2-D arrays, K a
// multiple of the tile, 4-byte copies.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int TILE = 16;

__global__ void __launch_bounds__(TILE *TILE)
sgemm_textbook(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < K / TILE; ++t) {
    As[ty][tx] = A[row * K + t * TILE + tx];
    Bs[ty][tx] = B[(t * TILE + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_textbook) {
  for (int k : multiples(TILE)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 32 * 32);
    launch({dim3(2, 2), dim3(TILE, TILE)}, sgemm_textbook, a, b, c, 32, k);
  }
}
#endif
