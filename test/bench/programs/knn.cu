// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The four nearest of 32768 points in eight dimensions for each of as many
// queries: a query a thread, 128 points a tile.
#include "bench.h"

constexpr int Dims = 8, Nearest = 4, Points = 128, Threads = 128;

__global__ void __launch_bounds__(Threads)
knn(const float4 *__restrict__ queries, const float4 *__restrict__ points,
    int *__restrict__ found, int count) {
  __shared__ float4 low[Points];
  __shared__ float4 high[Points];
  const int tid = threadIdx.x, query = blockIdx.x * Threads + tid;
  const float4 q0 = queries[2 * query], q1 = queries[2 * query + 1];

  float best[Nearest];
  int index[Nearest];
#pragma unroll
  for (int i = 0; i < Nearest; ++i) {
    best[i] = 1e30f;
    index[i] = -1;
  }
  for (int first = 0; first < count; first += Points) {
    low[tid] = points[2 * (first + tid)];
    high[tid] = points[2 * (first + tid) + 1];
    __syncthreads();
    for (int p = 0; p < Points; ++p) {
      const float4 a = low[p], b = high[p];
      float d0 = a.x - q0.x, d1 = a.y - q0.y, d2 = a.z - q0.z, d3 = a.w - q0.w;
      float d4 = b.x - q1.x, d5 = b.y - q1.y, d6 = b.z - q1.z, d7 = b.w - q1.w;
      float far = d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3 + d4 * d4 + d5 * d5 +
                  d6 * d6 + d7 * d7;
      int which = first + p;
      if (far < best[Nearest - 1]) {
#pragma unroll
        for (int i = 0; i < Nearest; ++i)
          if (far < best[i]) {
            float other_far = best[i];
            int other = index[i];
            best[i] = far;
            index[i] = which;
            far = other_far;
            which = other;
          }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < Nearest; ++i)
    found[query * Nearest + i] = index[i];
}

int main() {
  const int count = bench::size(32768);
  auto *queries =
      reinterpret_cast<float4 *>(bench::random<float>(count * Dims, 1));
  auto *points =
      reinterpret_cast<float4 *>(bench::random<float>(count * Dims, 2));
  int *found = bench::output<int>(count * Nearest);
  bench::run("knn", [&] {
    knn<<<count / Threads, Threads>>>(queries, points, found, count);
  });
  bench::report("found", found, count * Nearest);
}
