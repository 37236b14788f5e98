// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, half with sums in half2 as on GPUs without matrix units: block tiles of
// 64 x 64 x 32 and 128 threads with 8 rows of 4 columns each.
#include "bench.h"
#include <cuda_fp16.h>

const int BM = 64;
const int BN = 64;
const int BK = 32;

__global__ void hgemm_h2(const half *A, const half *B, half *C, int N, int K) {
  __shared__ half2 sA[BM][BK / 2];
  __shared__ half2 sB[BK][BN / 2];

  const half2 *A2 = reinterpret_cast<const half2 *>(A) + size_t(blockIdx.y) * BM * K / 2;
  const half2 *B2 = reinterpret_cast<const half2 *>(B) + blockIdx.x * BN / 2;
  const int tx = threadIdx.x, ty = threadIdx.y; // 16 x 8
  const int t = ty * 16 + tx;

  half2 acc[8][2];
  for (int i = 0; i < 8; i++)
    acc[i][0] = acc[i][1] = __float2half2_rn(0.f);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = 0; i < BM; i += 8)
      sA[ty + i][tx] = A2[(ty + i) * K / 2 + k0 / 2 + tx];
    for (int i = 0; i < BK; i += 4)
      sB[t / 32 + i][t % 32] = B2[size_t(k0 + t / 32 + i) * N / 2 + t % 32];
    __syncthreads();

    for (int k = 0; k < BK; k += 2) {
      half2 b00 = sB[k][tx * 2], b01 = sB[k][tx * 2 + 1];
      half2 b10 = sB[k + 1][tx * 2], b11 = sB[k + 1][tx * 2 + 1];
#pragma unroll
      for (int i = 0; i < 8; i++) {
        half2 a = sA[ty * 8 + i][k / 2];
        half2 lo = __low2half2(a), hi = __high2half2(a);
        acc[i][0] = __hfma2(lo, b00, acc[i][0]);
        acc[i][1] = __hfma2(lo, b01, acc[i][1]);
        acc[i][0] = __hfma2(hi, b10, acc[i][0]);
        acc[i][1] = __hfma2(hi, b11, acc[i][1]);
      }
    }
    __syncthreads();
  }

  half2 *C2 = reinterpret_cast<half2 *>(C);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 2; j++)
      C2[(size_t(blockIdx.y * BM + ty * 8 + i) * N + blockIdx.x * BN) / 2 + tx * 2 + j] =
          acc[i][j];
}

int main() {
  const int n = bench::size(4096), k = bench::tiled(2048, BK);
  half *A = bench::random<half>(size_t(n) * (k + 2), 1);
  half *B = bench::random<half>(size_t(n) * (k + 2), 2);
  half *C = bench::output<half>(size_t(n) * n);
  bench::run("hgemm_half2",
             [&] { hgemm_h2<<<dim3(n / BN, n / BM), dim3(16, 8)>>>(A, B, C, n, k); });
  bench::report("C", C, size_t(n) * n);
}
