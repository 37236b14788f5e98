// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 3 x 3 convolution over 64 channels, float: a block has 32 x 8 pixels of eight
// filters, and brings one channel of its patch, with a border, at a time.
#include "bench.h"

constexpr int W = 32, H = 8, Filters = 8;

__global__ void __launch_bounds__(W * H)
conv3x3(const float *__restrict__ image, const float *__restrict__ filters,
        float *__restrict__ out, int channels, int width, int height) {
  __shared__ float patch[H + 2][W + 2];
  __shared__ float taps[Filters][9];
  const int x = threadIdx.x, y = threadIdx.y, tid = y * W + x;
  const int x0 = blockIdx.x * W, y0 = blockIdx.y * H;
  const int filter = blockIdx.z * Filters;

  float sum[Filters] = {};
  for (int c = 0; c < channels; c++) {
    for (int i = tid; i < (H + 2) * (W + 2); i += W * H) {
      const int px = x0 + i % (W + 2) - 1, py = y0 + i / (W + 2) - 1;
      const bool inside = px >= 0 && px < width && py >= 0 && py < height;
      patch[i / (W + 2)][i % (W + 2)] =
          inside ? image[(size_t(c) * height + py) * width + px] : 0.0f;
    }
    if (tid < Filters * 9)
      taps[tid / 9][tid % 9] =
          filters[(size_t(filter + tid / 9) * channels + c) * 9 + tid % 9];
    __syncthreads();
#pragma unroll
    for (int f = 0; f < Filters; ++f)
#pragma unroll
      for (int t = 0; t < 9; ++t)
        sum[f] += taps[f][t] * patch[y + t / 3][x + t % 3];
    __syncthreads();
  }
  for (int f = 0; f < Filters; ++f)
    out[(size_t(filter + f) * height + y0 + y) * width + x0 + x] = sum[f];
}

int main() {
  const int width = bench::size(1024), height = bench::size(512);
  const int channels = bench::tiled(64, 1), filters = 32;
  float *image = bench::random<float>(size_t(channels + 1) * width * height, 1);
  float *taps = bench::random<float>(filters * (channels + 1) * 9, 2);
  float *out = bench::output<float>(size_t(filters) * width * height);
  bench::run("conv_channels", [&] {
    conv3x3<<<dim3(width / W, height / H, filters / Filters), dim3(W, H)>>>(
        image, taps, out, channels, width, height);
  });
  bench::report("out", out, size_t(filters) * width * height);
}
