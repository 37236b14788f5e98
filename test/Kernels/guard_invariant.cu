// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards without a fill that are the same in every iteration: some threads copy
// nothing, a row beyond the matrix is never staged and never read.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s

constexpr int T = 32;

// Only the first T of 2 T threads copy.
__global__ void __launch_bounds__(2 * T)
guard_threads(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    if (threadIdx.x < T)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The guard is a bound of the matrix.
__global__ void __launch_bounds__(T)
guard_rows(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float rows[T][8];
  __shared__ float xs[8];
  int row = blockIdx.x * T + threadIdx.x;
  float sum = 0.0f;
  for (int j0 = 0; j0 < n; j0 += 8) {
    if (row < m) {
      for (int j = 0; j < 8; ++j)
        rows[threadIdx.x][j] = A[row * n + j0 + j];
    }
    if (threadIdx.x < 8)
      xs[threadIdx.x] = x[j0 + threadIdx.x];
    __syncthreads();
    if (row < m)
      for (int j = 0; j < 8; ++j)
        sum += rows[threadIdx.x][j] * xs[j];
    __syncthreads();
  }
  if (row < m)
    y[row] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(guard_threads) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", 2 * T);
    launch({1, 2 * T}, guard_threads, x, y, n);
  }
}
CASE(guard_rows) {
  for (int n : multiples(8)) {
    int m = 45;
    auto a = in<float>("A", m * n), x = in<float>("x", n);
    auto y = out<float>("y", m);
    launch({2, T}, guard_rows, a, x, y, m, n);
  }
}
#endif
