// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 4096 products of 64 x 64 matrices, float: a block a product, 16 x 16 threads with
// 4 x 4 elements each, four tiles.
#include "bench.h"

constexpr int N = 64, BK = 16;

__global__ void __launch_bounds__(256)
multiply(const float *__restrict__ a, const float *__restrict__ b,
         float *__restrict__ c, int depth) {
  __shared__ float as[N][BK + 1];
  __shared__ float bs[BK][N];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  a += size_t(blockIdx.x) * N * depth;
  b += size_t(blockIdx.x) * N * depth;
  c += size_t(blockIdx.x) * N * N;

  float sum[4][4] = {};
  for (int k0 = 0; k0 < depth; k0 += BK) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      as[ty + 16 * i][tx] = a[(ty + 16 * i) * depth + k0 + tx];
      bs[ty][tx + 16 * i] = b[(k0 + ty) * N + tx + 16 * i];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          sum[i][j] += as[ty * 4 + i][k] * bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(ty * 4 + i) * N + tx * 4 + j] = sum[i][j];
}

int main() {
  const int count = bench::size(4096), depth = bench::tiled(64, BK);
  float *a = bench::random<float>(size_t(count) * N * (depth + 1), 1);
  float *b = bench::random<float>(size_t(count) * N * (depth + 1), 2);
  float *c = bench::output<float>(size_t(count) * N * N);
  bench::run("gemm_batched_small", [&] {
    multiply<<<count, 256>>>(a, b, c, depth);
  });
  bench::report("c", c, size_t(count) * N * N);
}
