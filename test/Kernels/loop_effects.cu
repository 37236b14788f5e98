// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects in the compute region: stores and atomics to arrays that the loads
// cannot touch.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s

constexpr int T = 64;

// A running result is stored for every tile.
__global__ void __launch_bounds__(T)
store_each_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j <= threadIdx.x; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(T)
histogram(const int *__restrict__ keys, unsigned *__restrict__ bins, int n) {
  __shared__ int tile[T];
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = keys[i + threadIdx.x];
    __syncthreads();
    // Each thread counts every fourth key of the tile that is its own.
    for (int j = 0; j < T; j += 4)
      if ((tile[j] & 7) == threadIdx.x % 8)
        atomicAdd(&bins[tile[j] & 7], 1u);
    __syncthreads();
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(store_each_tile) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", n);
    launch({1, T}, store_each_tile, x, y, n);
  }
}
CASE(histogram) {
  for (int n : multiples(T)) {
    auto k = in<int>("keys", n);
    auto b = in<unsigned>("bins", 8, [](size_t) { return 0u; });
    launch({1, T}, histogram, k, b, n);
  }
}
#endif
