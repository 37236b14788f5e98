// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier that protects the tile stands first in the body: the same loop,
// rotated.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int TILE = 16;

__global__ void __launch_bounds__(TILE *TILE)
barrier_first(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    __syncthreads();
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
  }
  C[row * N + col] = sum;
}

// What the barrier protects in the first tile is read before the loop.
__global__ void __launch_bounds__(TILE)
used_before(const float *x, float *y, int n) {
  __shared__ float xs[TILE];
  const int t = threadIdx.x;
  xs[t] = float(t);
  __syncthreads();
  float sum = xs[(t + 1) % TILE];
  for (int k0 = 0; k0 < n; k0 += TILE) {
    __syncthreads();
    xs[t] = x[k0 + t];
    __syncthreads();
    sum += xs[(t + 3) % TILE];
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(used_before) {
  for (int n : multiples(TILE)) {
    auto x = in<float>("x", n), y = out<float>("y", TILE);
    launch({1, TILE}, used_before, x, y, n);
  }
}
CASE(barrier_first) {
  for (int k : multiples(TILE)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 16 * 32);
    launch({dim3(2, 1), dim3(TILE, TILE)}, barrier_first, a, b, c, 32, k);
  }
}
#endif
