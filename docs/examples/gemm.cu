// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B for row-major matrices whose sizes are multiples of the tile: each
// block of 256 threads computes 128 x 128 elements, each thread 8 x 8.
#include <cuda_runtime.h>

constexpr int BM = 128, BN = 128, BK = 8;

__global__ void __launch_bounds__(256)
gemm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];

  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int a_row = threadIdx.x / 2, a_col = threadIdx.x % 2 * 4;
  const int b_row = threadIdx.x / 32, b_col = threadIdx.x % 32 * 4;

  float acc[8][8] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Each thread brings four elements of each tile.
    *(float4 *)&As[a_row][a_col] =
        *(const float4 *)&A[(row + a_row) * K + k0 + a_col];
    *(float4 *)&Bs[b_row][b_col] =
        *(const float4 *)&B[(k0 + b_row) * N + col + b_col];
    __syncthreads();

    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          acc[i][j] += As[ty * 8 + i][k] * Bs[k][tx * 8 + j];
    __syncthreads();
  }

  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      C[(row + ty * 8 + i) * N + col + tx * 8 + j] = acc[i][j];
}
