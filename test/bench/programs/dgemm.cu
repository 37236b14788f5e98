// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, double: block tiles of 64 x 64 x 16, 4 x 4 elements a thread,
// copied element by element.
#include "bench.h"

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
constexpr int Threads = (BM / TM) * (BN / TN);

__global__ void __launch_bounds__(Threads)
dgemm(const double *__restrict__ A, const double *__restrict__ B,
      double *__restrict__ C, int N, int K) {
  __shared__ double As[BK][BM];
  __shared__ double Bs[BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % (BN / TN), ty = tid / (BN / TN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  double acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += Threads)
      As[i % BK][i / BK] = A[i / BK * K + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += Threads)
      Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += As[k][ty * TM + i] * Bs[k][tx + j * (BN / TN)];
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(ty * TM + i) * N + tx + j * (BN / TN)] = acc[i][j];
}

int main() {
  const int n = bench::size(2048);
  double *A = bench::random<double>(n * n, 1);
  double *B = bench::random<double>(n * n, 2);
  double *C = bench::output<double>(n * n);
  bench::run("dgemm", [&] {
    dgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n);
  });
  bench::report("C", C, n * n);
}
