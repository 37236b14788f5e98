// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many dot products with one vector: a warp owns a row and reduces with shuffles;
// little compute for each byte.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int WARPS = 4, T = 32 * WARPS;

__global__ void __launch_bounds__(T)
batched_dot(const float *__restrict__ A, const float *__restrict__ x,
            float *__restrict__ y, int m, int n) {
  __shared__ float xs[T];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.x * WARPS + warp;
  float dot = 0.0f;
  for (int j0 = 0; j0 < n; j0 += T) {
    xs[threadIdx.x] = j0 + threadIdx.x < n ? x[j0 + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = lane; j < T; j += 32)
      if (j0 + j < n)
        dot += A[row * n + j0 + j] * xs[j];
    __syncthreads();
  }
  for (int s = 16; s > 0; s >>= 1)
    dot += __shfl_xor_sync(0xffffffffu, dot, s);
  if (lane == 0)
    y[row] = dot;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(batched_dot) {
  for (int n : sizes(T)) {
    auto a = in<float>("A", 8 * n), x = in<float>("x", n);
    auto y = out<float>("y", 8);
    launch({2, T}, batched_dot, a, x, y, 8, n);
  }
}
#endif
