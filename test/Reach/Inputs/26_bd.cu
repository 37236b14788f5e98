// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void k(const float* __restrict__ A, float* __restrict__ C, int n) {
  __shared__ float s[1024];
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = A[t * 1024 + i] * 2.0f;
    __syncthreads();
    for (int i = 0; i < 1024; ++i) acc += s[i];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
void go(float* a, float* c) { k<<<4, 256>>>(a, c, 9); }
