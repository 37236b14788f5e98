// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n, int used) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
#ifdef CURED
    if (k < used)
      xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    if (k < used)
      for (int j = 0; j < T; ++j)
        sum += xs[j];
    __syncthreads();
#else
    if (k < used) {
      xs[threadIdx.x] = x[k + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
#endif
  }
  y[threadIdx.x] = sum;
}
