// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Densities of smoothed particles, float: 32 bytes a particle, a branch for those
// that are near, 256 particles a tile.
#include "bench.h"

struct Particle {
  float x, y, z, mass;
  float vx, vy, vz, density;
};

__global__ void density(const Particle *particles, float *out, int n, float h2) {
  extern __shared__ Particle cache[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Particle me = particles[i];
  float rho = 0.0f;
  for (int tile = 0; tile < n / blockDim.x; tile++) {
    cache[threadIdx.x] = particles[tile * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      const float dx = cache[j].x - me.x, dy = cache[j].y - me.y,
                  dz = cache[j].z - me.z;
      const float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < h2) {
        const float w = h2 - r2;
        rho += cache[j].mass * w * w * w;
      }
    }
    __syncthreads();
  }
  out[i] = rho;
}

int main() {
  const int n = bench::size(65536);
  float *particles = bench::random<float>(n * 8, 1);
  float *out = bench::output<float>(n);
  bench::run("sph_density", [&] {
    density<<<n / 256, 256, 256 * sizeof(Particle)>>>(
        reinterpret_cast<Particle *>(particles), out, n, 0.25f);
  });
  bench::report("out", out, n);
}
