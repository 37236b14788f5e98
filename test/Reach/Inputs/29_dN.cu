// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -DN=64
__global__ void k(const float4* __restrict__ A, float* __restrict__ C, int n) {
  __shared__ float4 s[N];
  float acc = 0;
  for (int t = 0; t < n; ++t) {
    s[threadIdx.x] = A[t * N + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < N; ++i) acc += s[i].x;
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
