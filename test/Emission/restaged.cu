// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages that were the author's. What kpipe makes of Inputs/hgemm_by_hand.cu.
// Look at what is gone: the copies in front of the loop, the condition, the
// index of the buffer. Three stages need no more text than two.
//
// RUN: %golden %S/Inputs/hgemm_by_hand.cu %s --restage --variant=cp-async --stages=3 --allow-occupancy-drop
// RUN: %execute %S/Inputs/hgemm_by_hand.cu %s --stages=3 --flag=-I%S/Inputs

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <kpipe/pipeline.h>
#include <mma.h>

using namespace nvcuda;
constexpr int BM = 32, BN = 32, BK = 16, PAD = 8;

// The next tile is asked for in front of the arithmetic, and waited for behind it.
__global__ void __launch_bounds__(128)
hgemm(const half *A, const half *B, float *C, int N, int K) {
  __shared__ __align__(32) half As_stages[3][BM][BK + PAD];
  __shared__ __align__(32) half Bs_stages[3][BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32;
  const int wm = warp / 2, wn = warp % 2;
  const int a_row = tid / 4, a_col = tid % 4 * 4;
  const int b_row = tid / 8, b_col = tid % 8 * 4;
  const int row = blockIdx.y * BM + a_row, col = blockIdx.x * BN + b_col;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  {
    auto load_tile = [&](int k0, int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
      kpipe::copy_async(
          reinterpret_cast<int2 *>(&As[a_row][a_col]),
          reinterpret_cast<const int2 *>(&A[row * K + k0 + a_col]));
      kpipe::copy_async(
          reinterpret_cast<int2 *>(&Bs[b_row][b_col]),
          reinterpret_cast<const int2 *>(&B[(k0 + b_row) * N + col]));
    };
    auto compute_tile = [&](int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
      wmma::load_matrix_sync(a, &As[wm * 16][0], BK + PAD);
      wmma::load_matrix_sync(b, &Bs[0][wn * 16], BN + PAD);
      wmma::mma_sync(acc, a, b, acc);
    };
    int k0 = 0;
    int k0_ahead = k0;
    for (int slot = 0; slot < 2; ++slot) {
      if (k0_ahead < K) {
        load_tile(k0_ahead, slot);
        k0_ahead += BK;
      }
      kpipe::commit();
    }
    int stage = 0;
    // kpipe: pipelined - 2 tiles are copied ahead of the one that is computed
    for (; k0 < K; k0 += BK) {
      kpipe::wait_prior<1>();
      __syncthreads();
      if (k0_ahead < K) {
        load_tile(k0_ahead, kpipe::previous_stage<3>(stage));
        k0_ahead += BK;
      }
      kpipe::commit();
      compute_tile(stage);
      stage = kpipe::next_stage<3>(stage);
    }
  }
  wmma::store_matrix_sync(
      &C[(blockIdx.y * BM + wm * 16) * N + blockIdx.x * BN + wn * 16], acc, N,
      wmma::mem_row_major);
}

#ifdef KPIPE_HARNESS
#include "hgemm_by_hand.h"
#endif
