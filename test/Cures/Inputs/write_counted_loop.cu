// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64, Most = 256;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n, int width) {
  __shared__ float xs[Most];
  float sum = 0;
  for (int k = 0; k < n; k += width) {
#ifdef CURED
    for (int i = threadIdx.x; i < width; i += T)
      xs[i] = x[k + i] / 2;
#else
    int i = threadIdx.x;
    do {
      xs[i] = x[k + i] / 2;
      i += T;
    } while (i < width);
#endif
    __syncthreads();
    for (int j = 0; j < width; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
