// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CURE: --block=32

constexpr int T = 64;

__global__ void tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T; j += blockDim.x)
      xs[j] = x[i + j] / 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
