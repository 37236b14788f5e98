// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Guards without a fill that depend on the loop variable: a slot beyond the end
// keeps what the tile before left there. A ring of buffers would change what
// that is; here it matters (stale) or not (tail).
// REQUIRES: executor
// RUN: %variants --at-least=2 %s

constexpr int T = 32;

// Reads only what this tile stored.
__global__ void __launch_bounds__(T)
guard_tail(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    if (i + threadIdx.x < n)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    int count = min(T, n - i);
    for (int j = 0; j < count; ++j)
      sum += xs[j] * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Reads stale slots as well: they hold the tile before, or the zeros from
// before the loop.
__global__ void __launch_bounds__(T)
guard_stale(const float *x, float *y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    if (i + threadIdx.x < n)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(guard_tail) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, guard_tail, x, y, n);
  }
}
CASE(guard_stale) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, guard_stale, x, y, n);
  }
}
#endif
