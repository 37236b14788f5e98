// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer of a 1-D convolution, float: 256 channels to 256, nine taps; a block
// makes 128 samples of 16 output channels, eight input channels a tile.
#include "bench.h"

constexpr int Taps = 9, Out = 16, Channels = 8, Threads = 128;
constexpr int Width = Threads + Taps - 1;

__global__ void __launch_bounds__(Threads)
conv1d(const float *__restrict__ in, const float *__restrict__ weights,
       float *__restrict__ out, int channels, int samples) {
  __shared__ float signal[Channels][Width];
  __shared__ float filter[Channels][Out][Taps];
  const int tid = threadIdx.x;
  const int first = blockIdx.x * Threads, first_out = blockIdx.y * Out;
  // Rows of the input are longer by the taps, so that no edge is missing.
  const int row = samples + Taps - 1;

  float acc[Out] = {};
  for (int c0 = 0; c0 < channels; c0 += Channels) {
    for (int i = tid; i < Channels * Width; i += Threads)
      signal[i / Width][i % Width] = in[(c0 + i / Width) * row + first + i % Width];
    for (int i = tid; i < Channels * Out * Taps; i += Threads)
      filter[i / (Out * Taps)][i / Taps % Out][i % Taps] =
          weights[((c0 + i / (Out * Taps)) * gridDim.y * Out + first_out) * Taps +
                  i % (Out * Taps)];
    __syncthreads();
    for (int c = 0; c < Channels; ++c) {
      float x[Taps];
#pragma unroll
      for (int t = 0; t < Taps; ++t)
        x[t] = signal[c][tid + t];
#pragma unroll
      for (int o = 0; o < Out; ++o)
#pragma unroll
        for (int t = 0; t < Taps; ++t)
          acc[o] += x[t] * filter[c][o][t];
    }
    __syncthreads();
  }

  for (int o = 0; o < Out; ++o)
    out[(first_out + o) * samples + first + tid] = acc[o];
}

int main() {
  const int channels = bench::size(256), samples = bench::size(32768);
  float *in = bench::random<float>(channels * (samples + Taps - 1), 1);
  float *weights = bench::random<float>(channels * channels * Taps, 2);
  float *out = bench::output<float>(channels * samples);
  bench::run("conv1d", [&] {
    conv1d<<<dim3(samples / Threads, channels / Out), Threads>>>(
        in, weights, out, channels, samples);
  });
  bench::report("out", out, channels * samples);
}
