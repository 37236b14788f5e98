// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of 4 bytes in pieces of 16. What kpipe makes of Inputs/sgemm_boxes.cu
// with --copies=remap. Look at load_tile: the condition of both tiles stands in
// front of the loop, and the author's copies under else.
//
// RUN: %golden %S/Inputs/sgemm_boxes.cu %s --copies=remap --variant=cp-async --allow-occupancy-drop

#include <kpipe/pipeline.h>
constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;
constexpr int Threads = (BM / TM) * (BN / TN);

__global__ void __launch_bounds__(Threads)
    sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float As_stages[2][BM][BK], Bs_stages[2][BK][BN];
  const int tid = threadIdx.x;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  float acc[TM][TN] = {};
  const bool aligned =
      (size_t)A % 16 == 0 && (size_t)B % 16 == 0 && K % 4 == 0 && N % 4 == 0;
  {
    auto load_tile = [&](int k0, int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
      // Neighbours copy neighbours.
      if (aligned) {
        for (int piece = threadIdx.x; piece < 256; piece += 256) {
          const int piece_row = piece / 4, piece_col = piece % 4 * 4;
          kpipe::copy_async_zfill(
              (float4 *)&As[piece_row][piece_col],
              (const float4 *)&A[(row + piece_row) * K + k0 + piece_col],
              row + piece_row < M && k0 + piece_col < K);
        }
        for (int piece = threadIdx.x; piece < 256; piece += 256) {
          const int piece_row = piece / 16, piece_col = piece % 16 * 4;
          kpipe::copy_async(
              (float4 *)&Bs[piece_row][piece_col],
              (const float4 *)&B[(k0 + piece_row) * N + col + piece_col]);
        }
      } else {
        for (int i = tid; i < BM * BK; i += Threads)
          kpipe::copy_async_zfill(&As[i / BK][i % BK],
                                  &A[(row + i / BK) * K + k0 + i % BK],
                                  row + i / BK < M && k0 + i % BK < K);
        for (int i = tid; i < BK * BN; i += Threads)
          kpipe::copy_async(&Bs[i / BN][i % BN],
                            &B[(k0 + i / BN) * N + col + i % BN]);
      }
    };
    auto compute_tile = [&](int stage) {
      auto &As = As_stages[stage];
      auto &Bs = Bs_stages[stage];
      for (int k = 0; k < BK; ++k)
        for (int i = 0; i < TM; ++i)
          for (int j = 0; j < TN; ++j)
            acc[i][j] += As[tid / (BN / TN) * TM + i][k] *
                         Bs[k][tid % (BN / TN) * TN + j];
    };
    int k0 = 0;
    if (k0 < K) {
      load_tile(k0, 0);
      kpipe::commit();
      kpipe::wait_prior<0>();
      __syncthreads();
      int stage = 0;
      // kpipe: pipelined - the next tile is copied while this one is computed
      for (; k0 + BK < K; k0 += BK) {
        load_tile(k0 + BK, stage ^ 1);
        kpipe::commit();
        compute_tile(stage);
        kpipe::wait_prior<0>();
        __syncthreads();
        stage ^= 1;
      }
      compute_tile(stage);
    }
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(row + tid / (BN / TN) * TM + i) * N + col + tid % (BN / TN) * TN + j] =
          acc[i][j];
}

void launch(const float *A, const float *B, float *C, int n) {
  sgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, n);
}
