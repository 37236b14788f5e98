// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --variant=cp-async

#ifdef CURED
constexpr int Floats = 2048;
#else
constexpr int Floats = 6144;
#endif

__global__ void __launch_bounds__(512)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Floats];
  float sum = 0;
  for (int i = 0; i < n; i += Floats) {
    for (int j = 0; j < Floats / 512; ++j)
      xs[j * 512 + threadIdx.x] = x[i + j * 512 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < Floats; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
