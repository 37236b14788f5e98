// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (__syncthreads_or(xs[threadIdx.x] > 100))
      sum *= 0.5f;
#ifdef CURED
    __syncthreads();
#endif
  }
  y[threadIdx.x] = sum;
}
