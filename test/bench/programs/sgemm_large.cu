// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, float: block tiles of 128 x 256 x 16 and 256 threads with 8 x 16
// elements each, so that one block fills an SM's registers.
#include "bench.h"

constexpr int BM = 128, BN = 256, BK = 16, TM = 8, TN = 16, Threads = 256;

__global__ void __launch_bounds__(Threads, 1)
sgemm(const float *__restrict__ A, const float *__restrict__ B,
      float *__restrict__ C, int n, int k) {
  __shared__ float As[BK][BM + 4];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  A += size_t(blockIdx.y) * BM * k;
  B += blockIdx.x * BN;
  C += size_t(blockIdx.y) * BM * n + blockIdx.x * BN;

  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
#pragma unroll
    for (int i = tid; i < BM * BK / 4; i += Threads) {
      const int r = i / (BK / 4), c = i % (BK / 4) * 4;
      const float4 v = *reinterpret_cast<const float4 *>(&A[size_t(r) * k + k0 + c]);
      As[c][r] = v.x;
      As[c + 1][r] = v.y;
      As[c + 2][r] = v.z;
      As[c + 3][r] = v.w;
    }
#pragma unroll
    for (int i = tid; i < BK * BN / 4; i += Threads) {
      const int r = i / (BN / 4), c = i % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(&B[size_t(k0 + r) * n + c]);
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i)
        a[i] = As[kk][ty * TM + i];
#pragma unroll
      for (int j = 0; j < TN; ++j)
        b[j] = Bs[kk][tx * 4 + j / 4 * 64 + j % 4];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j)
      C[size_t(ty * TM + i) * n + tx * 4 + j / 4 * 64 + j % 4] = acc[i][j];
}

int main() {
  const int n = bench::size(8192), k = bench::tiled(2048, BK);
  float *A = bench::random<float>(size_t(n) * (k + 4), 1);
  float *B = bench::random<float>(size_t(n) * (k + 4), 2);
  float *C = bench::output<float>(size_t(n) * n);
  bench::run("sgemm_large", [&] {
    sgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, k);
  });
  bench::report("C", C, size_t(n) * n);
}
