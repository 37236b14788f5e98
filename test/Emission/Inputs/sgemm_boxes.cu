// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
constexpr int Threads = (BM / TM) * (BN / TN);

__global__ void __launch_bounds__(Threads)
    sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BM][BK], Bs[BK][BN];
  const int tid = threadIdx.x;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Neighbours copy neighbours.
    for (int i = tid; i < BM * BK; i += Threads)
      As[i / BK][i % BK] = row + i / BK < M && k0 + i % BK < K
                               ? A[(row + i / BK) * K + k0 + i % BK]
                               : 0.0f;
    for (int i = tid; i < BK * BN; i += Threads)
      Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + col + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += As[tid / (BN / TN) * TM + i][k] *
                       Bs[k][tid % (BN / TN) * TN + j];
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(row + tid / (BN / TN) * TM + i) * N + col + tid % (BN / TN) * TN + j] =
          acc[i][j];
}

void launch(const float *A, const float *B, float *C, int n) {
  sgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, n);
}
