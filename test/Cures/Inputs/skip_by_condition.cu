// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
#ifdef CURED
    if (n & 1)
      for (int j = 0; j < T; ++j)
        sum += xs[j];
    __syncthreads();
#else
    if (!(n & 1)) {
      __syncthreads();
      continue;
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
#endif
  }
  y[threadIdx.x] = sum;
}
