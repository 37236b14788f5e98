// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prices of an average-rate option by simulated paths: drift, volatility and discount of
// 64 steps a tile, a path a thread with its own generator.
#include "bench.h"

struct Rng {
  uint32_t state;
  __device__ explicit Rng(uint32_t seed) : state(seed * 747796405u + 2891336453u) {}
  __device__ float uniform() {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) * (1.0f / 16777216.0f) + 1e-8f;
  }
  __device__ float normal() {
    const float radius = sqrtf(-2.0f * __logf(uniform()));
    return radius * __cosf(6.2831853f * uniform());
  }
};

constexpr int StepsPerTile = 64, PathsPerBlock = 192;

__global__ void simulate(const float *__restrict__ drift, const float *__restrict__ vol,
                         const float *__restrict__ discount, float *__restrict__ payoff,
                         int steps, float spot, float strike) {
  __shared__ float s_drift[StepsPerTile], s_vol[StepsPerTile], s_disc[StepsPerTile];
  const int path = blockIdx.x * PathsPerBlock + threadIdx.x;
  Rng rng(path + 1);
  float price = spot, mean = 0.0f;

  for (int t = 0; t < steps; t += StepsPerTile) {
    const int which = threadIdx.x / StepsPerTile, i = threadIdx.x % StepsPerTile;
    if (which == 0)
      s_drift[i] = drift[t + i];
    else if (which == 1)
      s_vol[i] = vol[t + i];
    else
      s_disc[i] = discount[t + i];
    __syncthreads();
    for (int s = 0; s < StepsPerTile; ++s) {
      price *= __expf(0.001f * s_drift[s] + 0.01f * s_vol[s] * rng.normal());
      mean += price * (1.0f + 0.01f * s_disc[s]);
    }
    __syncthreads();
  }
  payoff[path] = fmaxf(mean / (steps + 1) - strike, 0.0f);
}

int main() {
  const int blocks = bench::size(2048), paths = blocks * PathsPerBlock;
  const int steps = bench::tiled(1024, StepsPerTile);
  float *drift = bench::random<float>(steps + 1, 1), *vol = bench::random<float>(steps + 1, 2);
  float *discount = bench::random<float>(steps + 1, 3);
  float *payoff = bench::output<float>(paths);
  bench::run("asian_option", [&] {
    simulate<<<blocks, PathsPerBlock>>>(drift, vol, discount, payoff, steps, 100.0f, 99.0f);
  });
  bench::report("payoff", payoff, paths);
}
