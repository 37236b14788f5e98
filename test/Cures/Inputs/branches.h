// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
constexpr int T = 64;

#ifdef CURED
// kpipe: assume(all-instances)
#endif
template <bool Feedback>
__global__ void __launch_bounds__(T) tile(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if constexpr (Feedback)
      x[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
