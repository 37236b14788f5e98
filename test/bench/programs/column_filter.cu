// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vertical pass of a separable filter of 128 taps, float: 32 x 32 pixels a block, 16
// taps and the 47 rows that they need a tile.
#include "bench.h"

#define COLS 32
#define ROWS 32
#define TAPS 16
#define PER_THREAD 4

// The image has as many more rows as there are taps.
__global__ void filter_columns(float *dst, const float *src, const float *kernel,
                               int width, int taps) {
  __shared__ float s_rows[ROWS + TAPS - 1][COLS];
  __shared__ float s_kernel[TAPS];

  const int x = blockIdx.x * COLS + threadIdx.x;
  const int y0 = blockIdx.y * ROWS;

  float sum[PER_THREAD] = {0};
  for (int first = 0; first < taps; first += TAPS) {
    for (int y = threadIdx.y; y < ROWS + TAPS - 1; y += blockDim.y)
      s_rows[y][threadIdx.x] = src[(y0 + first + y) * width + x];
    if (threadIdx.y == 0 && threadIdx.x < TAPS)
      s_kernel[threadIdx.x] = kernel[first + threadIdx.x];
    __syncthreads();

#pragma unroll
    for (int t = 0; t < TAPS; t++)
#pragma unroll
      for (int i = 0; i < PER_THREAD; i++)
        sum[i] += s_kernel[t] * s_rows[threadIdx.y * PER_THREAD + i + t][threadIdx.x];
    __syncthreads();
  }

  for (int i = 0; i < PER_THREAD; i++)
    dst[(y0 + threadIdx.y * PER_THREAD + i) * width + x] = sum[i];
}

int main() {
  const int width = bench::size(4096), height = bench::size(4096);
  const int taps = bench::tiled(128, TAPS);
  float *src = bench::random<float>(size_t(width) * (height + taps), 1);
  float *kernel = bench::random<float>(taps + 1, 2);
  float *dst = bench::output<float>(size_t(width) * height);
  bench::run("column_filter", [&] {
    filter_columns<<<dim3(width / COLS, height / ROWS), dim3(COLS, ROWS / PER_THREAD)>>>(
        dst, src, kernel, width, taps);
  });
  bench::report("dst", dst, size_t(width) * height);
}
