// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n, int W) {
  float sum = 0;
#ifdef CURED
  __shared__ float xs[T];
#endif
  for (int i = 0; i < n + W; i += T) {
    constexpr int W = T;
#ifndef CURED
    __shared__ float xs[W];
#endif
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
