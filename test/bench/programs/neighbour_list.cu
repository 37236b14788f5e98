// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forces from listed neighbours, float4: a block has 64 atoms that share a list, and
// gathers 64 of it at a time; two threads an atom.
#include "bench.h"

constexpr int Atoms = 64, Threads = 128;

__global__ void __launch_bounds__(Threads)
forces(const float4 *__restrict__ atoms, const int *__restrict__ lists,
       float4 *__restrict__ out, int listed) {
  __shared__ float4 near_by[Atoms];
  const int own = threadIdx.x % Atoms, half = threadIdx.x / Atoms;
  const float4 me = atoms[blockIdx.x * Atoms + own];
  const int *list = lists + size_t(blockIdx.x) * listed;

  float3 force = {0.0f, 0.0f, 0.0f};
  for (int first = 0; first < listed; first += Atoms) {
    if (threadIdx.x < Atoms)
      near_by[threadIdx.x] = atoms[list[first + threadIdx.x]];
    __syncthreads();
    for (int j = half; j < Atoms; j += 2) {
      const float4 it = near_by[j];
      const float x = it.x - me.x, y = it.y - me.y, z = it.z - me.z;
      const float r2 = x * x + y * y + z * z + 0.01f;
      const float inverse = rsqrtf(r2), scale = it.w * inverse * inverse * inverse;
      force.x += scale * x;
      force.y += scale * y;
      force.z += scale * z;
    }
    __syncthreads();
  }
  out[blockIdx.x * Threads + threadIdx.x] =
      make_float4(force.x, force.y, force.z, me.w);
}

/// Lists that are the same in every run.
__global__ void draw(int *lists, size_t size, int atoms) {
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size;
       i += size_t(gridDim.x) * blockDim.x)
    lists[i] = static_cast<int>((i * 2654435761u >> 7) % atoms);
}

int main() {
  const int atoms = bench::size(1 << 17), listed = bench::tiled(512, Atoms);
  const size_t entries = size_t(atoms / Atoms) * listed;
  float *places = bench::random<float>(size_t(atoms) * 4, 1);
  int *lists = bench::output<int>(entries + 1);
  float *out = bench::output<float>(size_t(atoms) * 8);
  draw<<<256, 256>>>(lists, entries, atoms);
  bench::run("neighbour_list", [&] {
    forces<<<atoms / Atoms, Threads>>>(reinterpret_cast<float4 *>(places), lists,
                                       reinterpret_cast<float4 *>(out), listed);
  });
  bench::report("out", out, size_t(atoms) * 8);
}
