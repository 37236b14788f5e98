// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Depthwise 3 x 3 and pointwise convolution in one: 8 x 32 pixels a block, 32
// output channels a thread; an input channel with its halo and its weights is a tile.
#include "bench.h"

#define TILE_W 32
#define TILE_H 8
#define OUT_CH 32

__global__ void __launch_bounds__(TILE_W *TILE_H, 4)
separable_conv3x3(const float *__restrict__ in, const float *__restrict__ depthwise,
                  const float *__restrict__ pointwise, const float *__restrict__ bias,
                  float *__restrict__ out, int channels, int height, int width, int out_channels) {
  __shared__ float patch[TILE_H + 2][TILE_W + 2];
  __shared__ float dw[9];
  __shared__ float pw[OUT_CH];

  const int tid = threadIdx.y * TILE_W + threadIdx.x;
  const int x0 = blockIdx.x * TILE_W, y0 = blockIdx.y * TILE_H, oc0 = blockIdx.z * OUT_CH;

  float acc[OUT_CH];
#pragma unroll
  for (int o = 0; o < OUT_CH; ++o)
    acc[o] = bias[oc0 + o];

  for (int c = 0; c < channels; ++c) {
    for (int i = tid; i < (TILE_H + 2) * (TILE_W + 2); i += TILE_W * TILE_H) {
      const int py = i / (TILE_W + 2), px = i % (TILE_W + 2);
      const int y = y0 + py - 1, x = x0 + px - 1;
      patch[py][px] = (x >= 0 && x < width && y >= 0 && y < height)
                          ? in[(c * height + y) * width + x]
                          : 0.0f;
    }
    if (tid < 9)
      dw[tid] = depthwise[c * 9 + tid];
    if (tid < OUT_CH)
      pw[tid] = pointwise[c * out_channels + oc0 + tid];
    __syncthreads();

    float v = 0.0f;
#pragma unroll
    for (int r = 0; r < 3; ++r)
#pragma unroll
      for (int s = 0; s < 3; ++s)
        v += dw[r * 3 + s] * patch[threadIdx.y + r][threadIdx.x + s];
    v = fmaxf(v, 0.0f);
#pragma unroll
    for (int o = 0; o < OUT_CH; ++o)
      acc[o] += v * pw[o];
    __syncthreads();
  }

  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
#pragma unroll
  for (int o = 0; o < OUT_CH; ++o)
    out[((oc0 + o) * height + y) * width + x] = acc[o];
}

int main() {
  const int channels = bench::size(256), height = bench::size(512), width = 256, oc = 64;
  float *in = bench::random<float>(size_t(channels) * height * width, 1);
  float *dw = bench::random<float>(channels * 9, 2);
  float *pw = bench::random<float>(channels * oc, 3);
  float *bias = bench::random<float>(oc, 4);
  float *out = bench::output<float>(size_t(oc) * height * width);
  bench::run("separable_conv", [&] {
    separable_conv3x3<<<dim3(width / TILE_W, height / TILE_H, oc / OUT_CH), dim3(TILE_W, TILE_H)>>>(
        in, dw, pw, bias, out, channels, height, width, oc);
  });
  bench::report("out", out, size_t(oc) * height * width);
}
