// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../igemm_wmma.cu with a cuda::pipeline of each thread, waited for at once: block tiles of 128 x 128 x 32, eight warps with
// 32 x 64 each, wmma. B is stored by columns, as matrix units like it.
#include "bench.h"
#include <cuda/pipeline>
#include <mma.h>

using namespace nvcuda;

constexpr int BM = 128, BN = 128, BK = 32, Pad = 16, Threads = 256;

__global__ void __launch_bounds__(Threads)
igemm(const signed char *__restrict__ A, const signed char *__restrict__ B,
      int *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(32) signed char As[BM][BK + Pad];
  __shared__ __align__(32) signed char Bs[BN][BK + Pad];
  const int tid = threadIdx.x, warp = tid / 32;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 64;
  // Each thread brings 16 bytes of each tile.
  const int r = tid / (BK / 16), c = tid % (BK / 16) * 16;

  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc[2][4];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::fill_fragment(acc[i][j], 0);

  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int k0 = 0; k0 < K; k0 += BK) {
    pipe.producer_acquire();
    cuda::memcpy_async(&As[r][c], &A[(row + r) * K + k0 + c],
                       cuda::aligned_size_t<16>(16), pipe);
    cuda::memcpy_async(&Bs[r][c], &B[(col + r) * K + k0 + c],
                       cuda::aligned_size_t<16>(16), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major>
          a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major>
          b[4];
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(a[i], &As[warp_row + i * 16][k], BK + Pad);
      for (int j = 0; j < 4; ++j)
        wmma::load_matrix_sync(b[j], &Bs[warp_col + j * 16][k], BK + Pad);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          wmma::mma_sync(acc[i][j], a[i], b[j], acc[i][j]);
    }
    pipe.consumer_release();
    __syncthreads();
  }

  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(
          &C[(row + warp_row + i * 16) * N + col + warp_col + j * 16],
          acc[i][j], N, wmma::mem_row_major);
}

int main() {
  const int n = bench::size(4096);
  signed char *A = bench::random<signed char>(n * n, 1);
  signed char *B = bench::random<signed char>(n * n, 2);
  int *C = bench::output<int>(n * n);
  bench::run("igemm_wmma", [&] {
    igemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, n);
  });
  bench::report("C", C, n * n);
}
