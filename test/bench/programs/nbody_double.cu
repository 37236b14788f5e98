// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accelerations and potential of 16384 bodies, double: 128 bodies a tile in dynamic
// shared memory, fewer blocks than the GPU has SMs.
#include "bench.h"

#define EPS2 1e-3

struct alignas(32) vec4d {
  double x, y, z, w;
};

__device__ vec4d bodyBodyInteraction(vec4d bi, vec4d bj, vec4d ai) {
  double3 r;
  r.x = bj.x - bi.x;
  r.y = bj.y - bi.y;
  r.z = bj.z - bi.z;
  double distSqr = r.x * r.x + r.y * r.y + r.z * r.z + EPS2;
  double inv = 1.0 / sqrt(distSqr);
  double s = bj.w * inv * inv * inv;
  ai.x += r.x * s;
  ai.y += r.y * s;
  ai.z += r.z * s;
  ai.w -= bj.w * inv;
  return ai;
}

__device__ vec4d tile_calculation(vec4d myPosition, vec4d accel) {
  extern __shared__ vec4d shPosition[];
  for (int i = 0; i < blockDim.x; i++)
    accel = bodyBodyInteraction(myPosition, shPosition[i], accel);
  return accel;
}

__global__ void calculate_forces(const vec4d *globalX, vec4d *globalA, int N) {
  extern __shared__ vec4d shPosition[];
  int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  vec4d myPosition = globalX[gtid];
  vec4d acc = {0.0, 0.0, 0.0, 0.0};
  for (int i = 0, tile = 0; i < N; i += blockDim.x, tile++) {
    int idx = tile * blockDim.x + threadIdx.x;
    shPosition[threadIdx.x] = globalX[idx];
    __syncthreads();
    acc = tile_calculation(myPosition, acc);
    __syncthreads();
  }
  globalA[gtid] = acc;
}

int main() {
  const int p = 128, targets = bench::size(1 << 14), bodies = bench::tiled(1 << 14, p);
  double *x = bench::random<double>(size_t(targets > bodies ? targets : bodies) * 4, 1);
  double *a = bench::output<double>(size_t(targets) * 4);
  bench::run("nbody_double", [&] {
    calculate_forces<<<targets / p, p, p * sizeof(vec4d)>>>(
        reinterpret_cast<const vec4d *>(x), reinterpret_cast<vec4d *>(a), bodies);
  });
  bench::report("a", a, size_t(targets) * 4);
}
