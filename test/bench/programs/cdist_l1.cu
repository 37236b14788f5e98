// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of absolute differences of all pairs of two sets of vectors, float: 32 x 32
// pairs a block of 64 threads, 32 of 256 features a tile.
#include "bench.h"

template <typename scalar_t> struct Manhattan {
  static __device__ __forceinline__ scalar_t step(scalar_t sum, scalar_t x, scalar_t y) {
    return sum + fabsf(x - y);
  }
  static __device__ __forceinline__ scalar_t finish(scalar_t sum) { return sum; }
};

constexpr int kPairs = 32, kFeatures = 32;

template <typename scalar_t, typename Metric>
__global__ void __launch_bounds__(64)
pairwise_kernel(const scalar_t *__restrict__ x, const scalar_t *__restrict__ y,
                scalar_t *__restrict__ out, int64_t cols, int features) {
  __shared__ scalar_t tile_x[kPairs][kFeatures + 1];
  __shared__ scalar_t tile_y[kPairs][kFeatures + 1];
  const int tx = threadIdx.x & 7, ty = threadIdx.x >> 3;
  const int64_t row = int64_t(blockIdx.y) * kPairs, col = int64_t(blockIdx.x) * kPairs;

  scalar_t acc[4][4];
#pragma unroll
  for (auto &line : acc)
    for (auto &value : line)
      value = scalar_t(0);

  for (int f = 0; f < features; f += kFeatures) {
    for (int i = threadIdx.x; i < kPairs * kFeatures; i += 64) {
      const int r = i / kFeatures, c = i % kFeatures;
      tile_x[r][c] = x[(row + r) * features + f + c];
      tile_y[r][c] = y[(col + r) * features + f + c];
    }
    __syncthreads();
#pragma unroll
    for (int c = 0; c < kFeatures; ++c)
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          acc[i][j] = Metric::step(acc[i][j], tile_x[ty * 4 + i][c], tile_y[tx + 8 * j][c]);
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j)
      out[(row + ty * 4 + i) * cols + col + tx + 8 * j] = Metric::finish(acc[i][j]);
}

int main() {
  const int n = bench::size(4096), features = bench::tiled(256, kFeatures);
  float *x = bench::random<float>(size_t(n) * (features + 1), 1);
  float *y = bench::random<float>(size_t(n) * (features + 1), 2);
  float *out = bench::output<float>(size_t(n) * n);
  bench::run("cdist_l1", [&] {
    pairwise_kernel<float, Manhattan<float>>
        <<<dim3(n / kPairs, n / kPairs), 64>>>(x, y, out, n, features);
  });
  bench::report("out", out, size_t(n) * n);
}
