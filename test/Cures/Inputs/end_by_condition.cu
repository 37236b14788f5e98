// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  #ifdef CURED
for (int i = 0; i < n && n - i >= T; i += T) {
#else
for (int i = 0; i < n; i += T) {
#endif
#ifndef CURED
    const short left = n - i; // which may be cut off
    if (left < T)
      break;
#endif
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
