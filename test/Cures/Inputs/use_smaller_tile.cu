// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --variant=cp-async

#ifdef CURED
#define FLOATS 256
#else
#define FLOATS 8192
#endif

constexpr int T = 32, Floats = FLOATS;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Floats];
  float sum = 0;
  for (int i = 0; i < n; i += Floats) {
    for (int j = 0; j < Floats / T; ++j)
      xs[j * T + threadIdx.x] = x[i + j * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < Floats; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
