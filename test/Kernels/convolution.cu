// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 2-D convolution over channels: the tile has a halo, its copy loops stride by
// the block, rows outside of the image are filled with zero.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int T = 8, R = 1, H = T + 2 * R;

__global__ void __launch_bounds__(T *T)
convolution(const float *__restrict__ image, const float *__restrict__ weights,
            float *__restrict__ out, int channels, int height, int width) {
  __shared__ float tile[H][H];
  __shared__ float w[2 * R + 1][2 * R + 1];
  const int x0 = blockIdx.x * T, y0 = blockIdx.y * T;
  float sum = 0.0f;
  for (int c = 0; c < channels; ++c) {
    for (int y = threadIdx.y; y < H; y += T)
      for (int x = threadIdx.x; x < H; x += T) {
        int gy = y0 + y - R, gx = x0 + x - R;
        bool inside = gy >= 0 && gy < height && gx >= 0 && gx < width;
        tile[y][x] = inside ? image[(c * height + gy) * width + gx] : 0.0f;
      }
    if (threadIdx.y < 2 * R + 1 && threadIdx.x < 2 * R + 1)
      w[threadIdx.y][threadIdx.x] =
          weights[(c * (2 * R + 1) + threadIdx.y) * (2 * R + 1) + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 2 * R + 1; ++i)
      for (int j = 0; j < 2 * R + 1; ++j)
        sum += tile[threadIdx.y + i][threadIdx.x + j] * w[i][j];
    __syncthreads();
  }
  int y = y0 + threadIdx.y, x = x0 + threadIdx.x;
  if (y < height && x < width)
    out[y * width + x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(convolution) {
  for (int c : multiples(1)) {
    int h = 13, w = 10;
    auto i = in<float>("image", c * h * w), k = in<float>("weights", c * 9);
    auto o = out<float>("out", h * w);
    launch({dim3(2, 2), dim3(T, T)}, convolution, i, k, o, c, h, w);
  }
}
#endif
