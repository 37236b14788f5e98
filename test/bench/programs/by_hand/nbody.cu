// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../nbody.cu, pipelined by hand: two stages of cp.async. The next tile of
// bodies is in flight while this one attracts; one barrier per tile.
#include "bench.h"
#include <algorithm>
#include <cuda_pipeline.h>

constexpr int Tile = 256;

__global__ void __launch_bounds__(Tile)
attract(const float4 *__restrict__ bodies, float4 *__restrict__ out,
        int count) {
  __shared__ float4 tile[2][Tile];
  const int i = blockIdx.x * Tile + threadIdx.x;
  const float4 me = bodies[i];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);

  auto load = [&](int t, int stage) {
    __pipeline_memcpy_async(&tile[stage][threadIdx.x],
                            &bodies[t * Tile + threadIdx.x], sizeof(float4));
    __pipeline_commit();
  };

  const int tiles = count / Tile;
  if (tiles > 0)
    load(0, 0);
  for (int t = 0; t < tiles; ++t) {
    const int stage = t % 2;
    // Behind the barrier, tile t has landed for all threads, and all threads are
    // done with the other stage.
    __pipeline_wait_prior(0);
    __syncthreads();
    if (t + 1 < tiles)
      load(t + 1, stage ^ 1);

#pragma unroll 16
    for (int j = 0; j < Tile; ++j) {
      const float4 other = tile[stage][j];
      float x = other.x - me.x, y = other.y - me.y, z = other.z - me.z;
      float near = rsqrtf(x * x + y * y + z * z + 0.01f);
      float pull = other.w * near * near * near;
      sum.x += x * pull;
      sum.y += y * pull;
      sum.z += z * pull;
    }
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
