// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OPTIONS: --arch=sm_75,sm_86
// CURE: --arch=sm_86
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__global__ void __launch_bounds__(64)
newer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#endif
