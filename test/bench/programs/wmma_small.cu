// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, bf16 to float: block tiles of 64 x 64 x 64 and four warps, many blocks
// per SM.
#include "bench.h"
#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;
using bf16 = __nv_bfloat16;

constexpr int B = 64, BK = 64, Pad = 8;

__global__ void gemm(const bf16 *a, const bf16 *b, float *c, int n, int k) {
  __shared__ __align__(32) bf16 as[B][BK + Pad];
  __shared__ __align__(32) bf16 bs[BK][B + Pad];
  const int warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc[4];
  for (auto &f : acc)
    wmma::fill_fragment(f, 0.0f);

  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int i = threadIdx.x; i < B * BK / 8; i += blockDim.x) {
      const int r = i / 8, col = i % 8 * 8;
      *(int4 *)&as[r][col] = *(const int4 *)&a[size_t(blockIdx.y * B + r) * k + k0 + col];
      *(int4 *)&bs[r][col] = *(const int4 *)&b[size_t(k0 + r) * n + blockIdx.x * B + col];
    }
    __syncthreads();
    for (int kk = 0; kk < BK; kk += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> fa;
      wmma::load_matrix_sync(fa, &as[warp * 16][kk], BK + Pad);
      for (int j = 0; j < 4; ++j) {
        wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::row_major> fb;
        wmma::load_matrix_sync(fb, &bs[kk][j * 16], B + Pad);
        wmma::mma_sync(acc[j], fa, fb, acc[j]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    wmma::store_matrix_sync(
        &c[size_t(blockIdx.y * B + warp * 16) * n + blockIdx.x * B + j * 16], acc[j], n,
        wmma::mem_row_major);
}

int main() {
  const int n = bench::size(2048), k = bench::tiled(8192, BK);
  bf16 *a = bench::random<bf16>(size_t(n) * (k + 8), 1);
  bf16 *b = bench::random<bf16>(size_t(n) * (k + 8), 2);
  float *c = bench::output<float>(size_t(n) * n);
  bench::run("wmma_small", [&] {
    gemm<<<dim3(n / B, n / B), 128>>>(a, b, c, n, k);
  });
  bench::report("c", c, size_t(n) * n);
}
