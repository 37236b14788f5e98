// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accelerations of 65536 bodies that attract each other: a body a thread, 256
// bodies a tile.
#include "bench.h"
#include <algorithm>

constexpr int Tile = 256;

__global__ void __launch_bounds__(Tile)
attract(const float4 *__restrict__ bodies, float4 *__restrict__ out,
        int count) {
  __shared__ float4 tile[Tile];
  const int i = blockIdx.x * Tile + threadIdx.x;
  const float4 me = bodies[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int first = 0; first < count; first += Tile) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
#pragma unroll 16
    for (int j = 0; j < Tile; ++j) {
      const float4 other = tile[j];
      float x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
      float near = rsqrtf(x * x + y * y + z * z + 0.01f);
      float pull = other.w * near * near * near;
      sum.x += x * pull;
      sum.y += y * pull;
      sum.z += z * pull;
    }
    __syncthreads();
  }
  out[i] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}

int main() {
  const int n = bench::size(65536), count = bench::tiled(65536, Tile);
  auto *bodies = reinterpret_cast<float4 *>(
      bench::random<float>(std::max(n, count) * 4, 1));
  float4 *out = bench::output<float4>(n);
  bench::run("nbody", [&] {
    attract<<<n / Tile, Tile>>>(bodies, out, count);
  });
  bench::report("accelerations", out, n);
}
