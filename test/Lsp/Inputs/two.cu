// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "width.h"

__global__ void __launch_bounds__(T)
sums(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  /* 𝄞 */ for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[T - 1 - j];
    __syncthreads();
  }
  y[T + threadIdx.x] = sum;
}
