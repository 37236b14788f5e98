// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, float, of any size: both tiles come element by element with the bounds of
// the matrices asked for each, 64 x 64 x 16 and 4 x 4 elements a thread.
#include "bench.h"

constexpr int BM = 64, BN = 64, BK = 16;

__global__ void __launch_bounds__(256)
sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;

  float acc[4][4] = {};
  for (int t = 0; t < (K + BK - 1) / BK; ++t) {
    const int k0 = t * BK;
    for (int i = tid; i < BM * BK; i += 256) {
      const int r = i / BK, c = i % BK;
      As[r][c] = row + r < M && k0 + c < K ? A[(row + r) * K + k0 + c] : 0.0f;
    }
    for (int i = tid; i < BK * BN; i += 256) {
      const int r = i / BN, c = i % BN;
      Bs[r][c] = k0 + r < K && col + c < N ? B[(k0 + r) * N + col + c] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += As[ty * 4 + i][k] * Bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (row + ty * 4 + i < M && col + tx * 4 + j < N)
        C[(row + ty * 4 + i) * N + col + tx * 4 + j] = acc[i][j];
}

int main() {
  const int n = bench::size(4096), k = bench::tiled(4096, BK);
  float *A = bench::random<float>(n * (k + 4), 1);
  float *B = bench::random<float>(n * (k + 4), 2);
  float *C = bench::output<float>(n * n);
  bench::run("sgemm_bounds", [&] {
    sgemm<<<dim3(n / BN, n / BM), dim3(16, 16)>>>(A, B, C, n, n, k);
  });
  bench::report("C", C, n * n);
}
