// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole blocks leave before the loop; single threads do not.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
early_return(const float *x, const int *active, float *y, int n) {
  if (!active[blockIdx.x])
    return;
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[blockIdx.x * T + threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(early_return) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", 3 * T);
    auto a = in<int>("active", 3, [](size_t i) { return int(i != 1); });
    launch({3, T}, early_return, x, a, y, n);
  }
}
#endif
