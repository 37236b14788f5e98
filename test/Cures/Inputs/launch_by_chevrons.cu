// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --variant=cp-async --allow-occupancy-drop

#include <cuda_runtime.h>

constexpr int T = 64, Floats = 8192;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
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

void launch(const float *x, float *y, int n) {
#ifdef CURED
  tile<<<1, T, Floats * 4>>>(x, y, n);
  tile<<<1, T, Floats * 5>>>(x, y, n);
#else
  cudaLaunchConfig_t small = {}, large = {};
  small.gridDim = 1;
  small.blockDim = T;
  small.dynamicSmemBytes = Floats * 4;
  large.gridDim = 1;
  large.blockDim = T;
  large.dynamicSmemBytes = Floats * 5;
  cudaLaunchKernelEx(&small, tile, x, y, n);
  cudaLaunchKernelEx(&large, tile, x, y, n);
#endif
}
