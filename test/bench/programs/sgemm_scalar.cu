// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, float: block tiles of 128 x 128 x 8, 8 x 8 elements a thread,
// loops of four-byte copies.
#include "bench.h"

constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
constexpr int Threads = (BM / TM) * (BN / TN);

__global__ void __launch_bounds__(Threads)
sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % (BN / TN), ty = tid / (BN / TN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += Threads)
      As[i % BK][i / BK] = A[i / BK * K + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += Threads)
      Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
      for (int i = 0; i < TM; ++i)
        a[i] = As[k][ty * TM + i];
      for (int j = 0; j < TN; ++j)
        b[j] = Bs[k][tx * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(ty * TM + i) * N + tx * TN + j] = acc[i][j];
}

int main() {
  const int n = bench::size(4096);
  float *A = bench::random<float>(n * n, 1);
  float *B = bench::random<float>(n * n, 2);
  float *C = bench::output<float>(n * n);
  bench::run("sgemm_scalar", [&] {
    sgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, n);
  });
  bench::report("C", C, n * n);
}
