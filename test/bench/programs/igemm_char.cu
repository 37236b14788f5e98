// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B of 8-bit integers as they come: 64 x 64 x 32 tiles copied byte by byte, 4 x
// 4 elements a thread.
#include "bench.h"

constexpr int BM = 64, BN = 64, BK = 32;

__global__ void __launch_bounds__(256)
igemm(const int8_t *__restrict__ a, const int8_t *__restrict__ b,
      int *__restrict__ c, int n, int k) {
  __shared__ int8_t as[BM][BK];
  __shared__ int8_t bs[BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  int sum[4][4] = {};
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int i = tid; i < BM * BK; i += 256)
      as[i / BK][i % BK] = a[size_t(blockIdx.y * BM + i / BK) * k + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += 256)
      bs[i / BN][i % BN] = b[size_t(k0 + i / BN) * n + blockIdx.x * BN + i % BN];
    __syncthreads();
    for (int kk = 0; kk < BK; ++kk)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += int(as[ty * 4 + i][kk]) * bs[kk][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[size_t(blockIdx.y * BM + ty * 4 + i) * n + blockIdx.x * BN + tx * 4 + j] =
          sum[i][j];
}

int main() {
  const int n = bench::size(2048), k = bench::tiled(2048, BK);
  int8_t *a = bench::random<int8_t>(size_t(n) * (k + 4), 1);
  int8_t *b = bench::random<int8_t>(size_t(n) * (k + 4), 2);
  int *c = bench::output<int>(size_t(n) * n);
  bench::run("igemm_char", [&] {
    igemm<<<dim3(n / BN, n / BM), dim3(16, 16)>>>(a, b, c, n, k);
  });
  bench::report("c", c, size_t(n) * n);
}
