// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product on tensor cores as it is first written: the rows of both
// tiles are a multiple of 128 bytes long, and so in each other's banks.
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;
constexpr int BM = 128, BN = 128, BK = 64;

__global__ void __launch_bounds__(256)
hgemm(const half *A, const half *B, float *C, int N, int K) {
  __shared__ __align__(32) half As[BM][BK];
  __shared__ __align__(32) half Bs[BK][BN];
  const int warp = threadIdx.x / 32;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 64;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK / 8; i += 256) {
      int r = i / (BK / 8), c = i % (BK / 8) * 8;
      *(float4 *)&As[r][c] =
          *(const float4 *)&A[(blockIdx.y * BM + r) * K + k0 + c];
    }
    for (int i = threadIdx.x; i < BK * BN / 8; i += 256) {
      int r = i / (BN / 8), c = i % (BN / 8) * 8;
      *(float4 *)&Bs[r][c] =
          *(const float4 *)&B[(k0 + r) * N + blockIdx.x * BN + c];
    }
    __syncthreads();
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[4];
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(a[i], &As[warp_row + i * 16][k], BK);
      for (int j = 0; j < 4; ++j)
        wmma::load_matrix_sync(b[j], &Bs[k][warp_col + j * 16], BN);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(
          &C[(blockIdx.y * BM + warp_row + i * 16) * N + blockIdx.x * BN +
             warp_col + j * 16],
          acc[i][j], N, wmma::mem_row_major);
}

void run(const half *A, const half *B, float *C, int n) {
  hgemm<<<dim3(n / BN, n / BM), 256>>>(A, B, C, n, n);
}
