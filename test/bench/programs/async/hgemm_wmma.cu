// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../hgemm_wmma.cu with cp.async in macros, waited for at once: block tiles of 128 x 128 x 32, eight warps with
// 32 x 64 each, wmma. PAD halves at the end of each shared row keep rows out of
// each other's banks; -DPAD=0 leaves them out.
#include "bench.h"
#include <cuda_fp16.h>
#include <mma.h>

#ifndef PAD
#define PAD 8
#endif

using namespace nvcuda;

#define CP_ASYNC_CG(dst, src, bytes)                                           \
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(dst),       \
               "l"(src), "n"(bytes))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(n)                                                 \
  asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

constexpr int BM = 128, BN = 128, BK = 32, Threads = 256;

__global__ void __launch_bounds__(Threads)
hgemm(const half *__restrict__ A, const half *__restrict__ B,
      float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(32) half As[BM][BK + PAD];
  __shared__ __align__(32) half Bs[BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 64;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[2][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::fill_fragment(acc[i][j], 0.0f);

  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK / 8; i += Threads) {
      int r = i / (BK / 8), c = i % (BK / 8) * 8;
      unsigned to = __cvta_generic_to_shared(&As[r][c]);
      CP_ASYNC_CG(to, &A[(row + r) * K + k0 + c], 16);
    }
    for (int i = tid; i < BK * BN / 8; i += Threads) {
      int r = i / (BN / 8), c = i % (BN / 8) * 8;
      unsigned to = __cvta_generic_to_shared(&Bs[r][c]);
      CP_ASYNC_CG(to, &B[(k0 + r) * N + col + c], 16);
    }
    CP_ASYNC_COMMIT_GROUP();
    CP_ASYNC_WAIT_GROUP(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[4];
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(a[i], &As[warp_row + i * 16][k], BK + PAD);
      for (int j = 0; j < 4; ++j)
        wmma::load_matrix_sync(b[j], &Bs[k][warp_col + j * 16], BN + PAD);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    __syncthreads();
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
