// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, const float *__restrict__ z,
     float *__restrict__ y, int n) {
  __shared__ float xs[T];
#ifdef CURED
  __shared__ float zs[T];
#endif
  float sum = 0, product = 1;
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x];
#ifdef CURED
    zs[threadIdx.x] = z[k + threadIdx.x];
#endif
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
#ifdef CURED
    for (int j = 0; j < T; ++j)
      product *= zs[j];
#else
    xs[threadIdx.x] = z[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      product *= xs[j];
#endif
    __syncthreads();
  }
  y[threadIdx.x] = sum + product;
}
