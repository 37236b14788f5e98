// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of products of all pairs of 2048 series, kept in double: 32 x 32 tiles of
// float, four sums a thread.
#include "bench.h"

constexpr int T = 32;

__global__ void correlate(const float *__restrict__ series, double *__restrict__ out,
                          int count, int length) {
  __shared__ float first[T][T + 1], second[T][T + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  double sum[4] = {};
  for (int t0 = 0; t0 < length; t0 += T) {
    for (int r = y; r < T; r += 8) {
      first[r][x] = series[size_t(blockIdx.y * T + r) * length + t0 + x];
      second[r][x] = series[size_t(blockIdx.x * T + r) * length + t0 + x];
    }
    __syncthreads();
    for (int t = 0; t < T; ++t)
#pragma unroll
      for (int r = 0; r < 4; ++r)
        sum[r] += double(first[y + 8 * r][t]) * second[x][t];
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r)
    out[size_t(blockIdx.y * T + y + 8 * r) * count + blockIdx.x * T + x] = sum[r];
}

int main() {
  const int count = bench::size(2048), length = bench::tiled(1024, T);
  float *series = bench::random<float>(size_t(count) * (length + 1), 1);
  double *out = bench::output<double>(size_t(count) * count);
  bench::run("correlation", [&] {
    correlate<<<dim3(count / T, count / T), dim3(T, 8)>>>(series, out, count, length);
  });
  bench::report("out", out, size_t(count) * count);
}
