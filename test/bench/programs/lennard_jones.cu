// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lennard-Jones forces and energies in a periodic box, float: all pairs with a cut-off,
// an atom a thread, 64 atoms a tile, few warps on each SM.
#include "bench.h"

constexpr int kBlock = 64;

struct Box {
  float length, inverse, cutoff2;

  __device__ float wrap(float d) const { return d - length * rintf(d * inverse); }
};

__device__ float4 interact(float4 sum, float4 me, float4 other, bool self, const Box &box) {
  const float dx = box.wrap(me.x - other.x), dy = box.wrap(me.y - other.y);
  const float dz = box.wrap(me.z - other.z);
  const float r2 = dx * dx + dy * dy + dz * dz;
  if (r2 >= box.cutoff2 || self)
    return sum;
  const float eps = me.w * other.w;
  const float s2 = 0.01f / (r2 + 1e-4f), s6 = s2 * s2 * s2;
  const float f = 24.0f * eps * s6 * (2.0f * s6 - 1.0f) / (r2 + 1e-4f);
  sum.x += f * dx;
  sum.y += f * dy;
  sum.z += f * dz;
  sum.w += 2.0f * eps * s6 * (s6 - 1.0f);
  return sum;
}

__global__ void lj_forces(const float4 *pos, float4 *force, int atoms, Box box) {
  __shared__ float4 cache[kBlock];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = pos[i];
  float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
  int base = 0;
  while (base < atoms) {
    cache[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < kBlock; ++j)
      sum = interact(sum, me, cache[j], i == base + j, box);
    __syncthreads();
    base += kBlock;
  }
  force[i] = sum;
}

int main() {
  const int targets = bench::size(1 << 14), atoms = bench::tiled(1 << 14, kBlock);
  const Box box = {2.0f, 0.5f, 0.25f};
  float *pos = bench::random<float>(size_t(targets > atoms ? targets : atoms) * 4, 1);
  float *force = bench::output<float>(size_t(targets) * 4);
  bench::run("lennard_jones", [&] {
    lj_forces<<<targets / kBlock, kBlock>>>(reinterpret_cast<const float4 *>(pos),
                                            reinterpret_cast<float4 *>(force), atoms, box);
  });
  bench::report("force", force, size_t(targets) * 4);
}
