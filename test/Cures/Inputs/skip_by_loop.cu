// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, const int *__restrict__ tiles, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
#ifdef CURED
  for (int k = 0; k < n; ++k) {
    const int i = tiles[k] * T;
#else
  for (int i = 0; i < n; i += T) {
    if (!tiles[i / T])
      continue;
#endif
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
