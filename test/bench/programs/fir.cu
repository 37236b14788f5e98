// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter of 32 taps over many channels, float: a block marches along a
// channel, 256 samples at a time and what the taps need of those before.
#include "bench.h"

constexpr int Samples = 256, Taps = 32;

/// A channel of the input begins with Taps samples of history.
__global__ void __launch_bounds__(Samples)
fir(const float *__restrict__ in, const float *__restrict__ taps,
    float *__restrict__ out, int samples) {
  __shared__ float window[Samples + Taps];
  __shared__ float weight[Taps];
  const int tid = threadIdx.x;
  in += size_t(blockIdx.x) * (samples + Taps);
  out += size_t(blockIdx.x) * samples;
  if (tid < Taps)
    weight[tid] = taps[tid];

  for (int first = 0; first < samples; first += Samples) {
    for (int i = tid; i < Samples + Taps; i += Samples)
      window[i] = in[first + i];
    __syncthreads();
    float sum = 0.0f;
    for (int t = 0; t < Taps; ++t)
      sum += weight[t] * window[tid + Taps - t];
    out[first + tid] = sum;
    __syncthreads();
  }
}

int main() {
  const int channels = bench::size(4096);
  const int samples = bench::tiled(1 << 14, Samples);
  float *in = bench::random<float>(size_t(channels) * (samples + Taps), 1);
  float *taps = bench::random<float>(Taps, 2);
  float *out = bench::output<float>(size_t(channels) * (samples + 1));
  bench::run("fir", [&] {
    fir<<<channels, Samples>>>(in, taps, out, samples);
  });
  bench::report("out", out, size_t(channels) * samples);
}
