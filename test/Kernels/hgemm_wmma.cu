// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision on tensor cores: 16-byte copies into padded tiles, wmma
// fragments loaded from shared memory.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;
constexpr int BM = 32, BN = 32, BK = 16, PAD = 8;

// Four warps, each with one 16x16 tile of the 32x32 result.
__global__ void __launch_bounds__(128)
hgemm_wmma(const half *A, const half *B, float *C, int N, int K) {
  __shared__ __align__(32) half As[BM][BK + PAD];
  __shared__ __align__(32) half Bs[BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32;
  const int wm = warp / 2, wn = warp % 2;
  const int a_row = tid / 2 % BM, a_col = tid % 2 * 8;
  const int b_row = tid / 4 % BK, b_col = tid % 4 * 8;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Half of the threads have nothing to copy; the guard never changes.
    if (tid < 64) {
      *reinterpret_cast<float4 *>(&As[a_row][a_col]) =
          *reinterpret_cast<const float4 *>(
              &A[(blockIdx.y * BM + a_row) * K + k0 + a_col]);
      *reinterpret_cast<float4 *>(&Bs[b_row][b_col]) =
          *reinterpret_cast<const float4 *>(
              &B[(k0 + b_row) * N + blockIdx.x * BN + b_col]);
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::load_matrix_sync(a, &As[wm * 16][0], BK + PAD);
    wmma::load_matrix_sync(b, &Bs[0][wn * 16], BN + PAD);
    wmma::mma_sync(acc, a, b, acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(
      &C[(blockIdx.y * BM + wm * 16) * N + blockIdx.x * BN + wn * 16], acc, N,
      wmma::mem_row_major);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(hgemm_wmma) {
  for (int k : multiples(BK)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", k * 64);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(2, 1), dim3(128)}, hgemm_wmma, a, b, c, 64, k);
  }
}
#endif
