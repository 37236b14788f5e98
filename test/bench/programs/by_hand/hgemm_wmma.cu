// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../hgemm_wmma.cu, pipelined by hand: two stages of cp.async. The next tile is
// in flight while this one is multiplied; one barrier per tile.
#include "bench.h"
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

#ifndef PAD
#define PAD 8
#endif

using namespace nvcuda;

constexpr int BM = 128, BN = 128, BK = 32, Threads = 256;

__global__ void __launch_bounds__(Threads)
hgemm(const half *__restrict__ A, const half *__restrict__ B,
      float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(32) half As[2][BM][BK + PAD];
  __shared__ __align__(32) half Bs[2][BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 64;
  const int a_row = tid / (BK / 8), a_col = tid % (BK / 8) * 8;
  const int b_row = tid / (BN / 8), b_col = tid % (BN / 8) * 8;

  // Each thread copies two vectors of 16 bytes of each tile.
  auto load = [&](int t, int stage) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int r = a_row + i * 64;
      __pipeline_memcpy_async(&As[stage][r][a_col],
                              &A[(row + r) * K + t * BK + a_col], 16);
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int r = b_row + i * 16;
      __pipeline_memcpy_async(&Bs[stage][r][b_col],
                              &B[(t * BK + r) * N + col + b_col], 16);
    }
    __pipeline_commit();
  };

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);

  const int tiles = K / BK;
  if (tiles > 0)
    load(0, 0);
  for (int t = 0; t < tiles; ++t) {
    const int stage = t % 2;
    // Behind the barrier, tile t has landed for all threads, and all threads are
    // done with the other stage.
    __pipeline_wait_prior(0);
    __syncthreads();
    if (t + 1 < tiles)
      load(t + 1, stage ^ 1);

#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[4];
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(a[i], &As[stage][warp_row + i * 16][k],
                               BK + PAD);
      for (int j = 0; j < 4; ++j)
        wmma::load_matrix_sync(b[j], &Bs[stage][k][warp_col + j * 16],
                               BN + PAD);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
  }

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(
          &C[(row + warp_row + i * 16) * N + col + warp_col + j * 16],
          acc[i][j], N, wmma::mem_row_major);
}

int main() {
  const int n = bench::size(4096), k = bench::tiled(4096, BK);
  half *A = bench::random<half>(n * k, 1);
  half *B = bench::random<half>(k * n, 2);
  float *C = bench::output<float>(n * n);
  bench::run("hgemm_wmma", [&] {
    hgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, k);
  });
  bench::report("C", C, n * n);
}
