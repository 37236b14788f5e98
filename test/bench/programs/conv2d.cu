// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer of a 2-D convolution, float: 128 channels to 128, 3 x 3; a block makes
// 32 x 8 pixels of 16 output channels, four input channels a tile. Beyond the
// image's edges there are zeros.
#include "bench.h"

constexpr int W = 32, H = 8, Out = 16, Channels = 4, Threads = W * H;
constexpr int Wide = W + 2, High = H + 2;

__global__ void __launch_bounds__(Threads)
conv2d(const float *__restrict__ in, const float *__restrict__ weights,
       float *__restrict__ out, int channels, int width, int height) {
  __shared__ float image[Channels][High][Wide];
  __shared__ float filter[Channels][Out][9];
  const int tid = threadIdx.x, tx = tid % W, ty = tid / W;
  const int left = blockIdx.x * W, top = blockIdx.y * H;
  const int first_out = blockIdx.z * Out;

  float acc[Out] = {};
  for (int c0 = 0; c0 < channels; c0 += Channels) {
    for (int i = tid; i < Channels * High * Wide; i += Threads) {
      int c = i / (High * Wide), y = i / Wide % High, x = i % Wide;
      int from_y = top + y - 1, from_x = left + x - 1;
      bool inside = from_y >= 0 && from_y < height && from_x >= 0 &&
                    from_x < width;
      image[c][y][x] =
          inside ? in[((c0 + c) * height + from_y) * width + from_x] : 0.0f;
    }
    for (int i = tid; i < Channels * Out * 9; i += Threads)
      filter[i / (Out * 9)][i / 9 % Out][i % 9] =
          weights[((c0 + i / (Out * 9)) * gridDim.z * Out + first_out) * 9 +
                  i % (Out * 9)];
    __syncthreads();
    for (int c = 0; c < Channels; ++c) {
      float p[9];
#pragma unroll
      for (int i = 0; i < 9; ++i)
        p[i] = image[c][ty + i / 3][tx + i % 3];
#pragma unroll
      for (int o = 0; o < Out; ++o)
#pragma unroll
        for (int i = 0; i < 9; ++i)
          acc[o] += p[i] * filter[c][o][i];
    }
    __syncthreads();
  }

  for (int o = 0; o < Out; ++o)
    out[((first_out + o) * height + top + ty) * width + left + tx] = acc[o];
}

int main() {
  const int channels = bench::size(128);
  const int width = bench::size(512), height = bench::size(512);
  float *in = bench::random<float>(channels * width * height, 1);
  float *weights = bench::random<float>(channels * channels * 9, 2);
  float *out = bench::output<float>(channels * width * height);
  bench::run("conv2d", [&] {
    conv2d<<<dim3(width / W, height / H, channels / Out), Threads>>>(
        in, weights, out, channels, width, height);
  });
  bench::report("out", out, channels * width * height);
}
