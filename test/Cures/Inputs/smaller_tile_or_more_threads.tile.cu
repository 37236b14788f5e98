// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int Threads = 2;
#ifdef CURED
constexpr int Floats = 64;
#else
constexpr int Floats = 512;
#endif

__global__ void __launch_bounds__(Threads)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Floats];
  float sum = 0;
  for (int i = 0; i < n; i += Floats) {
    for (int j = 0; j < Floats / Threads; ++j)
      xs[j * Threads + threadIdx.x] = x[i + j * Threads + threadIdx.x] / 2;
    __syncthreads();
    for (int j = 0; j < Floats; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
