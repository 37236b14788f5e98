// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, float: both tiles as they lie in memory, copied element by element;
// block tiles of BM x BN x BK, TM x TM elements a thread.
#include "bench.h"

#ifndef BM
#define BM 128
#define BN 128
#define BK 16
#define TM 8
#endif
constexpr int Threads = (BM / TM) * (BN / TM);

__global__ void __launch_bounds__(Threads)
sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % (BN / TM), ty = tid / (BN / TM);
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;

  float acc[TM][TM] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += Threads)
      As[i / BK][i % BK] = A[(row + i / BK) * K + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += Threads)
      Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + col + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TM; ++j)
          acc[i][j] += As[ty * TM + i][k] * Bs[k][tx * TM + j];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TM; ++j)
      C[(row + ty * TM + i) * N + col + tx * TM + j] = acc[i][j];
}

int main() {
  const int n = bench::size(4096), k = bench::tiled(4096, BK);
  float *A = bench::random<float>(n * (k + 4), 1);
  float *B = bench::random<float>(n * (k + 4), 2);
  float *C = bench::output<float>(n * n);
  bench::run("sgemm_elements", [&] {
    sgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, k);
  });
  bench::report("C", C, n * n);
}
