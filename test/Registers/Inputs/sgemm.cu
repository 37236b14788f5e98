// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 256 threads with 64 sums each: two blocks fit on an SM as long as a thread
// takes no more than 128 registers, and a tile on its way takes a few more.
constexpr int BM = 128, BN = 128, BK = 16, TM = 8, TN = 8;

__global__ void __launch_bounds__(256)
sgemm(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      int e = tid + i * 256;
      float4 a = *reinterpret_cast<const float4 *>(
          &A[(e / 4) * K + k0 + (e % 4) * 4]);
      As[(e % 4) * 4 + 0][e / 4] = a.x;
      As[(e % 4) * 4 + 1][e / 4] = a.y;
      As[(e % 4) * 4 + 2][e / 4] = a.z;
      As[(e % 4) * 4 + 3][e / 4] = a.w;
      float4 b = *reinterpret_cast<const float4 *>(
          &B[(k0 + e / 32) * N + (e % 32) * 4]);
      *reinterpret_cast<float4 *>(&Bs[e / 32][(e % 32) * 4]) = b;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i)
        a[i] = As[k][ty * TM + i];
#pragma unroll
      for (int i = 0; i < TN; ++i)
        b[i] = Bs[k][tx * TN + i];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(ty * TM + i) * N + tx * TN + j] = acc[i][j];
}

void run(const float *A, const float *B, float *C, int n) {
  sgemm<<<dim3(n / BN, n / BM), 256>>>(A, B, C, n, n);
}
