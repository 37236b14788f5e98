// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void k(const float* A, const float* B, float* C, int n, int lda) {
  __shared__ float s[16][16];
  float c[16] = {};
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  for (int t = 0; t < n; t += 16) {
    float a;
    s[threadIdx.y][threadIdx.x] = B[t * lda + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      a = A[m + (t + i) * lda];
      for (int j = 0; j < 16; ++j) c[j] += a * s[i][j];
    }
    __syncthreads();
  }
  for (int j = 0; j < 16; ++j) C[m * 16 + j] = c[j];
}
