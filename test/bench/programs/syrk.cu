// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lower half of A * A^T, float: block tiles of 64 x 64 x 8 below the diagonal
// alone, rows as they lie in shared memory, 4 x 4 elements a thread.
#include "bench.h"

constexpr int B = 64, BK = 8;

__global__ void __launch_bounds__(256)
syrk(const float *__restrict__ A, float *__restrict__ C, int n, int k) {
  if (blockIdx.x > blockIdx.y)
    return;
  __shared__ float left[BK][B + 4], right[BK][B + 4];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int row = tid / 4, part = tid % 4 * 2;

  float acc[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
    const float2 l = *reinterpret_cast<const float2 *>(
        &A[size_t(blockIdx.y * B + row) * k + k0 + part]);
    const float2 r = *reinterpret_cast<const float2 *>(
        &A[size_t(blockIdx.x * B + row) * k + k0 + part]);
    left[part][row] = l.x;
    left[part + 1][row] = l.y;
    right[part][row] = r.x;
    right[part + 1][row] = r.y;
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < BK; ++kk) {
      const float4 x = *reinterpret_cast<const float4 *>(&left[kk][ty * 4]);
      const float4 y = *reinterpret_cast<const float4 *>(&right[kk][tx * 4]);
      const float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] += xs[i] * ys[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[size_t(blockIdx.y * B + ty * 4 + i) * n + blockIdx.x * B + tx * 4 + j] =
          acc[i][j];
}

int main() {
  const int n = bench::size(4096), k = bench::tiled(2048, BK);
  float *A = bench::random<float>(size_t(n) * (k + 4), 1);
  float *C = bench::output<float>(size_t(n) * n);
  bench::run("syrk", [&] { syrk<<<dim3(n / B, n / B), 256>>>(A, C, n, k); });
  bench::report("C", C, size_t(n) * n);
}
