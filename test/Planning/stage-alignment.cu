// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages of an array that is read and written 16 bytes at a time are aligned to
// them, although its elements ask for 4 only.
//
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>/dev/null
// RUN: grep -x '  __shared__ __align__(16) float xs\[2\]\[256\];' %t.cu

__global__ void __launch_bounds__(64)
wide(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[256];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    reinterpret_cast<float4 *>(xs)[threadIdx.x] = x[i * 64 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
