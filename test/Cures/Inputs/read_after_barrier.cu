// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], total;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
#ifndef CURED
    float before = total;
#endif
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
#ifdef CURED
    float before = total;
#endif
    for (int j = 0; j < T; ++j)
      sum += xs[j] * before;
    __syncthreads();
    if (threadIdx.x == 0)
      total = sum;
  }
  y[threadIdx.x] = sum;
}
