// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_fp16.h>
#include <cuda_bf16.h>
struct B { unsigned short x; __device__ operator float() const { return __uint_as_float(unsigned(x) << 16); } };
__global__ void k(const B* __restrict__ A, float* __restrict__ C, int n) {
  __shared__ float s[256];
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = float(A[t*256+threadIdx.x]);
    __syncthreads();
    for (int i = 0; i < 256; ++i) acc += s[i];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
