// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A^T * B, float: A lies k by m, so both tiles come in rows of strided float4
// loads; block tiles of 128 x 64 x 16 and 128 threads with 8 x 8 elements each.
#include "bench.h"

template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM / TM) * (BN / TN))
sgemm_tn(int M, int N, int K, float alpha, const float *__restrict__ A, int lda,
         const float *__restrict__ B, int ldb, float *__restrict__ C, int ldc) {
  constexpr int threads = (BM / TM) * (BN / TN);
  constexpr int strideA = threads * 4 / BM, strideB = threads * 4 / BN;
  __shared__ float As[BK * BM];
  __shared__ float Bs[BK * BN];

  A += blockIdx.y * BM;
  B += blockIdx.x * BN;
  C += size_t(blockIdx.y) * BM * ldc + blockIdx.x * BN;

  const int threadRow = threadIdx.x / (BN / TN), threadCol = threadIdx.x % (BN / TN);
  const int rowA = threadIdx.x / (BM / 4), colA = threadIdx.x % (BM / 4);
  const int rowB = threadIdx.x / (BN / 4), colB = threadIdx.x % (BN / 4);

  float acc[TM * TN] = {0.0f};
  float regM[TM], regN[TN];

  for (int bk = 0; bk < K; bk += BK) {
    for (int off = 0; off < BK; off += strideA)
      reinterpret_cast<float4 *>(&As[(rowA + off) * BM + colA * 4])[0] =
          reinterpret_cast<const float4 *>(&A[size_t(rowA + off) * lda + colA * 4])[0];
    for (int off = 0; off < BK; off += strideB)
      reinterpret_cast<float4 *>(&Bs[(rowB + off) * BN + colB * 4])[0] =
          reinterpret_cast<const float4 *>(&B[size_t(rowB + off) * ldb + colB * 4])[0];
    __syncthreads();
    A += size_t(BK) * lda;
    B += size_t(BK) * ldb;

    for (int dot = 0; dot < BK; ++dot) {
      for (int i = 0; i < TM; ++i)
        regM[i] = As[dot * BM + threadRow * TM + i];
      for (int i = 0; i < TN; ++i)
        regN[i] = Bs[dot * BN + threadCol * TN + i];
      for (int m = 0; m < TM; ++m)
        for (int n = 0; n < TN; ++n)
          acc[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }

  for (int m = 0; m < TM; ++m)
    for (int n = 0; n < TN; n += 4) {
      float4 v;
      v.x = alpha * acc[m * TN + n];
      v.y = alpha * acc[m * TN + n + 1];
      v.z = alpha * acc[m * TN + n + 2];
      v.w = alpha * acc[m * TN + n + 3];
      reinterpret_cast<float4 *>(
          &C[size_t(threadRow * TM + m) * ldc + threadCol * TN + n])[0] = v;
    }
}

int main() {
  const int m = bench::size(4096), n = bench::size(2048), k = bench::tiled(2048, 16);
  float *A = bench::random<float>(size_t(m) * (k + 1), 1);
  float *B = bench::random<float>(size_t(n) * (k + 1), 2);
  float *C = bench::output<float>(size_t(m) * n);
  bench::run("sgemm_tn", [&] {
    sgemm_tn<128, 64, 16, 8, 8>
        <<<dim3(n / 64, m / 128), 128>>>(m, n, k, 0.5f, A, m, B, n, C, n);
  });
  bench::report("C", C, size_t(m) * n);
}
