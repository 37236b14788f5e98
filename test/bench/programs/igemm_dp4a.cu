// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B^T, signed char in packets of four, sums in int by dp4a: block tiles
// of 64 x 64 x 64, 4 x 4 elements a thread, copied in packets.
#include "bench.h"

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4; // BK in packets
constexpr int Threads = (BM / TM) * (BN / TN);

__global__ void __launch_bounds__(Threads)
igemm(const int *__restrict__ A, const int *__restrict__ B,
      int *__restrict__ C, int N, int K) {
  __shared__ int As[BM][BK + 1];
  __shared__ int Bs[BN][BK + 1];
  const int tid = threadIdx.x;
  const int tx = tid % (BN / TN), ty = tid / (BN / TN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN * K;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  int acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += Threads)
      As[i / BK][i % BK] = A[i / BK * K + k0 + i % BK];
    for (int i = tid; i < BN * BK; i += Threads)
      Bs[i / BK][i % BK] = B[i / BK * K + k0 + i % BK];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] = __dp4a(As[ty * TM + i][k], Bs[tx + j * (BN / TN)][k],
                             acc[i][j]);
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(ty * TM + i) * N + tx + j * (BN / TN)] = acc[i][j];
}

int main() {
  const int n = bench::size(4096), packets = n / 4;
  int *A = reinterpret_cast<int *>(bench::random<signed char>(n * n, 1));
  int *B = reinterpret_cast<int *>(bench::random<signed char>(n * n, 2));
  int *C = bench::output<int>(n * n);
  bench::run("igemm_dp4a", [&] {
    igemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, packets);
  });
  bench::report("C", C, n * n);
}
