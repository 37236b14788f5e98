// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n, bool wait) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x];
#ifndef CURED
    if (wait)
#endif
      __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
