// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nearest of 2048 centres for each of many points of 16 numbers, float: a point
// a thread, 64 centres a tile, copied in float4.
#include "bench.h"

constexpr int Dim = 16, Centres = 64, Threads = 128;

__global__ void __launch_bounds__(Threads)
assign(const float4 *__restrict__ points, const float4 *__restrict__ centres,
       int *__restrict__ nearest, int count) {
  __shared__ float4 tile[Centres][Dim / 4];
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p[Dim / 4];
  for (int d = 0; d < Dim / 4; ++d)
    p[d] = points[size_t(point) * (Dim / 4) + d];

  float least = 3.4e38f;
  int best = 0;
  for (int base = 0; base < count; base += Centres) {
    for (int i = threadIdx.x; i < Centres * (Dim / 4); i += Threads)
      tile[i / (Dim / 4)][i % (Dim / 4)] = centres[base * (Dim / 4) + i];
    __syncthreads();
    for (int c = 0; c < Centres; ++c) {
      float distance = 0.0f;
#pragma unroll
      for (int d = 0; d < Dim / 4; ++d) {
        const float4 q = tile[c][d];
        const float x = p[d].x - q.x, y = p[d].y - q.y;
        const float z = p[d].z - q.z, w = p[d].w - q.w;
        distance = fmaf(x, x, distance);
        distance = fmaf(y, y, distance);
        distance = fmaf(z, z, distance);
        distance = fmaf(w, w, distance);
      }
      if (distance < least) {
        least = distance;
        best = base + c;
      }
    }
    __syncthreads();
  }
  nearest[point] = best;
}

int main() {
  const int points = bench::size(1 << 18), centres = bench::tiled(2048, Centres);
  float *p = bench::random<float>(size_t(points) * Dim, 1);
  float *c = bench::random<float>(size_t(centres + 1) * Dim, 2);
  int *nearest = bench::output<int>(points);
  bench::run("kmeans", [&] {
    assign<<<points / Threads, Threads>>>(reinterpret_cast<float4 *>(p),
                                          reinterpret_cast<float4 *>(c), nearest,
                                          centres);
  });
  bench::report("nearest", nearest, points);
}
