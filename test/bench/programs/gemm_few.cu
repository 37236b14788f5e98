// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Y = X * W for four rows of X, float: a column a thread, 128 columns a block,
// 32 rows of W a tile.
#include "bench.h"

constexpr int Rows = 4, Columns = 128, Depth = 32;

__global__ void __launch_bounds__(Columns)
gemm_few(const float *__restrict__ X, const float *__restrict__ W,
         float *__restrict__ Y, int columns, int depth) {
  __shared__ float Ws[Depth][Columns];
  __shared__ float Xs[Rows][Depth];
  const int tid = threadIdx.x, column = blockIdx.x * Columns + tid;

  float acc[Rows] = {};
  for (int k0 = 0; k0 < depth; k0 += Depth) {
    for (int k = 0; k < Depth; ++k)
      Ws[k][tid] = W[size_t(k0 + k) * columns + column];
    Xs[tid / Depth][tid % Depth] = X[tid / Depth * depth + k0 + tid % Depth];
    __syncthreads();
    for (int k = 0; k < Depth; ++k)
      for (int r = 0; r < Rows; ++r)
        acc[r] += Xs[r][k] * Ws[k][tid];
    __syncthreads();
  }

  for (int r = 0; r < Rows; ++r)
    Y[r * columns + column] = acc[r];
}

int main() {
  const int columns = bench::size(16384), depth = bench::size(16384);
  float *X = bench::random<float>(Rows * depth, 1);
  float *W = bench::random<float>(size_t(columns) * depth, 2);
  float *Y = bench::output<float>(Rows * columns);
  bench::run("gemm_few", [&] {
    gemm_few<<<columns / Columns, Columns>>>(X, W, Y, columns, depth);
  });
  bench::report("Y", Y, Rows * columns);
}
