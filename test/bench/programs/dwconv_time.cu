// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A causal convolution over time for each channel and SiLU, float: seven taps, channels
// last; a block has 64 channels and marches along time, 32 steps and a halo a tile.
#include "bench.h"

template <int kWidth, int kChannels, int kSteps>
__global__ void __launch_bounds__(kChannels * 4)
causal_conv1d_fwd(const float *__restrict__ x, const float *__restrict__ weight,
                  const float *__restrict__ bias, float *__restrict__ out, int seqlen,
                  int dim) {
  constexpr int kHalo = kWidth - 1;
  __shared__ float tile[kSteps + kHalo][kChannels];

  const int c = threadIdx.x, channel = blockIdx.x * kChannels + c;
  x += size_t(blockIdx.y) * seqlen * dim + channel;
  out += size_t(blockIdx.y) * seqlen * dim + channel;

  float w[kWidth];
#pragma unroll
  for (int i = 0; i < kWidth; ++i)
    w[i] = weight[channel * kWidth + i];
  const float b = bias[channel];

  for (int t0 = 0; t0 < seqlen; t0 += kSteps) {
    for (int r = threadIdx.y; r < kSteps + kHalo; r += 4) {
      const int t = t0 + r - kHalo;
      tile[r][c] = t >= 0 ? x[size_t(t) * dim] : 0.f;
    }
    __syncthreads();
    for (int r = threadIdx.y; r < kSteps; r += 4) {
      float acc = b;
#pragma unroll
      for (int i = 0; i < kWidth; ++i)
        acc += w[i] * tile[r + i][c];
      out[size_t(t0 + r) * dim] = acc / (1.f + __expf(-acc));
    }
    __syncthreads();
  }
}

int main() {
  const int batch = bench::size(64), dim = bench::size(2048);
  const int seqlen = bench::tiled(512, 32);
  float *x = bench::random<float>(size_t(batch) * (seqlen + 1) * dim, 1);
  float *weight = bench::random<float>(dim * 7, 2), *bias = bench::random<float>(dim, 3);
  float *out = bench::output<float>(size_t(batch) * (seqlen + 1) * dim);
  bench::run("dwconv_time", [&] {
    causal_conv1d_fwd<7, 64, 32>
        <<<dim3(dim / 64, batch), dim3(64, 4)>>>(x, weight, bias, out, seqlen, dim);
  });
  bench::report("out", out, size_t(batch) * seqlen * dim);
}
