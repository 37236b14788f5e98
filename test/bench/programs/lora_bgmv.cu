// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Low-rank adapters, one a request: y = A[which] * x for 16 rows of A and 4096
// numbers, float. A block is a request; its adapter is gathered, a tile of 128
// numbers of each row at a time.
#include "bench.h"

constexpr int Rank = 16, Tile = 128, Threads = 128, Lanes = Threads / Rank;

__global__ void __launch_bounds__(Threads)
bgmv(const float *__restrict__ adapters, const int *__restrict__ which,
     const float *__restrict__ X, float *__restrict__ Y, int features,
     int count) {
  __shared__ float As[Rank][Tile + 1];
  __shared__ float xs[Tile];
  const int tid = threadIdx.x, row = tid / Lanes, lane = tid % Lanes;
  const int adapter = which[blockIdx.x] & (count - 1);
  const float *A = adapters + size_t(adapter) * Rank * features;
  X += size_t(blockIdx.x) * features;

  float sum = 0.0f;
  for (int first = 0; first < features; first += Tile) {
    for (int r = 0; r < Rank; ++r)
      As[r][tid] = A[size_t(r) * features + first + tid];
    xs[tid] = X[first + tid];
    __syncthreads();
    for (int i = 0; i < Tile / Lanes; ++i)
      sum += As[row][i * Lanes + lane] * xs[i * Lanes + lane];
    __syncthreads();
  }

  for (int step = Lanes / 2; step > 0; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    Y[blockIdx.x * Rank + row] = sum;
}

int main() {
  const int requests = bench::size(8192), count = 32;
  const int features = bench::tiled(4096, Tile);
  float *adapters = bench::random<float>(size_t(count) * Rank * features, 1);
  int *which = reinterpret_cast<int *>(
      bench::random<signed char>(requests * sizeof(int), 2));
  float *X = bench::random<float>(size_t(requests) * features, 3);
  float *Y = bench::output<float>(requests * Rank);
  bench::run("lora_bgmv", [&] {
    bgmv<<<requests, Threads>>>(adapters, which, X, Y, features, count);
  });
  bench::report("Y", Y, requests * Rank);
}
