// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OPTIONS: --arch=sm_80,sm_90
// CURE: --arch=sm_90
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
#define Rows 4
#else
#define Rows 56
#endif
// Two stages where tiles are small; a single buffer where they are large.
__global__ void __launch_bounds__(128)
sums(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Rows][128];
  float sum = 0;
  for (int i = 0; i < n; i += Rows) {
    for (int r = 0; r < Rows; ++r)
      xs[r][threadIdx.x] = x[(i + r) * 128 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < Rows; ++r)
      sum += xs[r][127 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
