// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matmul.cuh"

__global__ void __launch_bounds__(Tile *Tile)
matmul_kernel(const float *__restrict__ A, const float *__restrict__ B,
              float *__restrict__ C, int n) {
  __shared__ float As[Tile][Tile];
  __shared__ float Bs[Tile][Tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * Tile + ty, col = blockIdx.x * Tile + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += Tile) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

void matmul(const float *A, const float *B, float *C, int n) {
  matmul_kernel<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile)>>>(A, B, C, n);
}
