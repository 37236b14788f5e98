// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64, Most = 256;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n, int width) {
  __shared__ float xs[Most + 1];
  float *first = xs + 1;
  float sum = 0;
  for (int k = 0; k < n; k += width) {
#ifdef CURED
    for (int i = threadIdx.x; i < Most; i += T)
      if (i < width)
        first[i] = x[k + i] / 2;
#else
    for (int i = threadIdx.x; i < width; i += T)
      first[i] = x[k + i] / 2;
#endif
    __syncthreads();
    for (int i = 0; i < width; ++i)
      sum += first[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
