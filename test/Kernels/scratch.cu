// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays beside the staged ones that the compute region writes: per-warp
// partials with a barrier of their own, and a private slot per thread.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
scratch_partials(const float *x, float *y, int n) {
  __shared__ float xs[T];
  __shared__ float partial[T / 32];
  float total = 0.0f;
  for (int t = 0; t < n / T; ++t) {
    xs[threadIdx.x] = x[t * T + threadIdx.x];
    __syncthreads();
    float v = xs[T - 1 - threadIdx.x] * float(threadIdx.x + 1);
    for (int s = 16; s > 0; s /= 2)
      v += __shfl_down_sync(0xFFFFFFFF, v, s);
    if (threadIdx.x % 32 == 0)
      partial[threadIdx.x / 32] = v;
    __syncthreads();
    for (int w = 0; w < T / 32; ++w)
      total += partial[w] * xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = total;
}

__global__ void __launch_bounds__(T)
scratch_private(const float *x, float *y, int n) {
  __shared__ float xs[T];
  __shared__ float sums[T];
  sums[threadIdx.x] = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sums[threadIdx.x] += xs[j] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sums[threadIdx.x];
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(scratch_partials) { run(scratch_partials); }
CASE(scratch_private) { run(scratch_private); }
#endif
