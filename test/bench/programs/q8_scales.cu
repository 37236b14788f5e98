// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Y = X * W^T of 8-bit numbers with a scale for each 64 of a row, as quantised models
// have them: block tiles of 64 x 32 x 64, 4 x 4 elements a thread by dp4a.
#include "bench.h"

namespace q8 {

constexpr int kRows = 64, kCols = 32, kGroup = 64, kWords = kGroup / 4;
constexpr int kThreads = 128;

struct Operand {
  const int *quants;   // four 8-bit numbers each
  const float *scales; // one for each group
};

__global__ void __launch_bounds__(kThreads)
mul_mat(Operand x, Operand w, float *__restrict__ y, int cols, int groups) {
  __shared__ int x_qs[kRows][kWords + 1];
  __shared__ int w_qs[kCols][kWords + 1];
  __shared__ float x_d[kRows], w_d[kCols];

  const int row0 = blockIdx.x * kRows, col0 = blockIdx.y * kCols;
  const int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
  const int lane = threadIdx.x % kWords, line = threadIdx.x / kWords;
  float acc[4][4] = {};

  for (int g = 0; g < groups; ++g) {
#pragma unroll
    for (int r = line; r < kRows; r += kThreads / kWords)
      x_qs[r][lane] = x.quants[((row0 + r) * groups + g) * kWords + lane];
#pragma unroll
    for (int r = line; r < kCols; r += kThreads / kWords)
      w_qs[r][lane] = w.quants[((col0 + r) * groups + g) * kWords + lane];
    if (threadIdx.x < kRows)
      x_d[threadIdx.x] = x.scales[(row0 + threadIdx.x) * groups + g];
    else if (threadIdx.x < kRows + kCols)
      w_d[threadIdx.x - kRows] = w.scales[(col0 + threadIdx.x - kRows) * groups + g];
    __syncthreads();

    int dot[4][4] = {};
#pragma unroll
    for (int k = 0; k < kWords; ++k)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          dot[i][j] = __dp4a(x_qs[ty + 16 * i][k], w_qs[tx + 8 * j][k], dot[i][j]);
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
        acc[i][j] += x_d[ty + 16 * i] * w_d[tx + 8 * j] * float(dot[i][j]);
    __syncthreads();
  }

  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      y[size_t(row0 + ty + 16 * i) * cols + col0 + tx + 8 * j] = acc[i][j];
}

} // namespace q8

static q8::Operand make(size_t rows, size_t k, unsigned seed) {
  auto *bytes = bench::random<signed char>(rows * (k + 4), seed);
  auto *scales = bench::random<float>(rows * (k / q8::kGroup + 1), seed + 1);
  return {reinterpret_cast<const int *>(bytes), scales};
}

int main() {
  const int rows = bench::size(4096), cols = bench::size(4096);
  const int k = bench::tiled(4096, q8::kGroup);
  const q8::Operand x = make(rows, k, 1), w = make(cols, k, 3);
  float *y = bench::output<float>(size_t(rows) * cols);
  bench::run("q8_scales", [&] {
    q8::mul_mat<<<dim3(rows / q8::kRows, cols / q8::kCols), q8::kThreads>>>(
        x, w, y, cols, k / q8::kGroup);
  });
  bench::report("y", y, size_t(rows) * cols);
}
