// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct P { const float* p; __device__ float get(int i) const { return p[i]; } };
__global__ void k(const float* __restrict__ A, float* __restrict__ C, int n) {
  __shared__ float s[256];
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = P{A}.get(t*256+threadIdx.x);
    __syncthreads();
    for (int i = 0; i < 256; ++i) acc += s[i];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
