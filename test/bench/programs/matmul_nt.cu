// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B^T as in a first course, float: 16 x 16 tiles with a guard, an element a
// thread, many tiles.
#include "bench.h"

#define TILE 16

__global__ void matmul_nt(const float *A, const float *B, float *C, int M, int N,
                          int K) {
  __shared__ float sA[TILE][TILE];
  __shared__ float sB[TILE][TILE + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty;
  int col = blockIdx.x * TILE + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + TILE - 1) / TILE; t++) {
    if (row < M && t * TILE + tx < K)
      sA[ty][tx] = A[row * K + t * TILE + tx];
    else
      sA[ty][tx] = 0.0f;
    if (blockIdx.x * TILE + ty < N && t * TILE + tx < K)
      sB[tx][ty] = B[(blockIdx.x * TILE + ty) * K + t * TILE + tx];
    else
      sB[tx][ty] = 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; k++)
      acc += sA[ty][k] * sB[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main() {
  const int n = bench::size(2048), k = bench::tiled(4096, TILE);
  float *A = bench::random<float>(n * (k + 1), 1);
  float *B = bench::random<float>(n * (k + 1), 2);
  float *C = bench::output<float>(n * n);
  bench::run("matmul_nt", [&] {
    matmul_nt<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(A, B, C, n, n, k);
  });
  bench::report("C", C, n * n);
}
