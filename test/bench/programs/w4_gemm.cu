// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Y = X * W^T for 32 rows of half and 4-bit weights with a scale for each 64: they are
// unpacked on their way to shared memory, 32 x 64 x 64 a tile and 128 threads.
#include "bench.h"
#include <cuda_fp16.h>

constexpr int Tokens = 32, Cols = 64, Group = 64;

// packed: [n][k / 8], lowest four bits first; scales: [n][k / Group]
__global__ void __launch_bounds__(128)
w4a16(const half *__restrict__ x, const unsigned *__restrict__ packed,
      const half *__restrict__ scales, float *__restrict__ y, int n, int k) {
  __shared__ half xs[Tokens][Group + 2];
  __shared__ half ws[Cols][Group + 2];
  const int tid = threadIdx.x, col0 = blockIdx.x * Cols;
  const int tx = tid % 16, ty = tid / 16;

  float acc[4][4] = {};
  for (int g = 0; g < k / Group; ++g) {
    for (int i = tid; i < Tokens * Group / 2; i += 128) {
      const int r = i / (Group / 2), c = i % (Group / 2) * 2;
      *reinterpret_cast<half2 *>(&xs[r][c]) =
          *reinterpret_cast<const half2 *>(&x[r * k + g * Group + c]);
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int r = tid / 8 + 16 * i, c = tid % 8;
      const unsigned word = packed[size_t(col0 + r) * (k / 8) + g * (Group / 8) + c];
      const float scale = __half2float(scales[size_t(col0 + r) * (k / Group) + g]);
#pragma unroll
      for (int b = 0; b < 8; ++b)
        ws[r][c * 8 + b] = __float2half(float(int(word >> 4 * b & 15) - 8) * scale);
    }
    __syncthreads();

#pragma unroll 8
    for (int kk = 0; kk < Group; kk += 2) {
      float2 xv[4], wv[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        xv[i] = __half22float2(*reinterpret_cast<const half2 *>(&xs[ty * 4 + i][kk]));
        wv[i] = __half22float2(*reinterpret_cast<const half2 *>(&ws[tx + 16 * i][kk]));
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] += xv[i].x * wv[j].x + xv[i].y * wv[j].y;
    }
    __syncthreads();
  }

  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      y[(ty * 4 + i) * n + col0 + tx + 16 * j] = acc[i][j];
}

int main() {
  const int n = bench::size(16384), k = bench::tiled(4096, Group);
  half *x = bench::random<half>(Tokens * (k + 8), 1);
  signed char *w = bench::random<signed char>(size_t(n) * (k / 2 + 4), 2);
  half *scales = bench::random<half>(size_t(n) * (k / Group + 1), 3);
  float *y = bench::output<float>(Tokens * n);
  bench::run("w4_gemm", [&] {
    w4a16<<<n / Cols, 128>>>(x, reinterpret_cast<const unsigned *>(w), scales, y, n, k);
  });
  bench::report("y", y, Tokens * n);
}
