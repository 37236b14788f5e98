// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;
constexpr int BM = 32, BN = 32, BK = 16, PAD = 8;

// The next tile is asked for in front of the arithmetic, and waited for behind it.
__global__ void __launch_bounds__(128)
hgemm(const half *A, const half *B, float *C, int N, int K) {
  __shared__ __align__(32) half As[2][BM][BK + PAD];
  __shared__ __align__(32) half Bs[2][BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32;
  const int wm = warp / 2, wn = warp % 2;
  const int a_row = tid / 4, a_col = tid % 4 * 4;
  const int b_row = tid / 8, b_col = tid % 8 * 4;
  const int row = blockIdx.y * BM + a_row, col = blockIdx.x * BN + b_col;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  int stage = 0;
  __pipeline_memcpy_async(&As[0][a_row][a_col], &A[row * K + a_col], 8);
  __pipeline_memcpy_async(&Bs[0][b_row][b_col], &B[b_row * N + col], 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (k0 + BK < K) {
      __pipeline_memcpy_async(&As[stage ^ 1][a_row][a_col],
                              &A[row * K + k0 + BK + a_col], 8);
      __pipeline_memcpy_async(&Bs[stage ^ 1][b_row][b_col],
                              &B[(k0 + BK + b_row) * N + col], 8);
      __pipeline_commit();
    }
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::load_matrix_sync(a, &As[stage][wm * 16][0], BK + PAD);
    wmma::load_matrix_sync(b, &Bs[stage][0][wn * 16], BN + PAD);
    wmma::mma_sync(acc, a, b, acc);
    __pipeline_wait_prior(0);
    __syncthreads();
    stage ^= 1;
  }
  wmma::store_matrix_sync(
      &C[(blockIdx.y * BM + wm * 16) * N + blockIdx.x * BN + wn * 16], acc, N,
      wmma::mem_row_major);
}

#ifdef KPIPE_HARNESS
#include "hgemm_by_hand.h"
#endif
