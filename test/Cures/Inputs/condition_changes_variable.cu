// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int tiles) {
  __shared__ float xs[T];
  float sum = 0;
#ifdef CURED
  for (; tiles > 0; --tiles) {
#else
  while ((tiles -= 1) >= 0) {
#endif
    xs[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
    x += T;
  }
  y[threadIdx.x] = sum;
}
