// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Density at many places as a sum of Gaussians, float: coordinates and weights in arrays
// of their own, 128 samples a tile, a place a thread.
#include "bench.h"

#define BLOCK 128

__global__ void density(const float *qx, const float *qy, const float *qz, const float *sx,
                        const float *sy, const float *sz, const float *sw, float *out,
                        int samples, float inv_2h2) {
  __shared__ float x[BLOCK];
  __shared__ float y[BLOCK];
  __shared__ float z[BLOCK];
  __shared__ float w[BLOCK];

  const int gid = blockIdx.x * BLOCK + threadIdx.x;
  const float px = qx[gid];
  const float py = qy[gid];
  const float pz = qz[gid];
  float sum = 0.0f;

  for (int start = 0; start < samples; start += BLOCK) {
    const int src = start + threadIdx.x;
    x[threadIdx.x] = sx[src];
    y[threadIdx.x] = sy[src];
    z[threadIdx.x] = sz[src];
    w[threadIdx.x] = sw[src];
    __syncthreads();

#pragma unroll 4
    for (int j = 0; j < BLOCK; j++) {
      const float dx = px - x[j];
      const float dy = py - y[j];
      const float dz = pz - z[j];
      sum += w[j] * __expf(-(dx * dx + dy * dy + dz * dz) * inv_2h2);
    }
    __syncthreads();
  }
  out[gid] = sum;
}

int main() {
  const int places = bench::size(1 << 16), samples = bench::tiled(1 << 14, BLOCK);
  float *q = bench::random<float>(size_t(places) * 3, 1);
  float *s = bench::random<float>(size_t(samples) * 4 + 4, 2);
  float *out = bench::output<float>(places);
  bench::run("kernel_density", [&] {
    density<<<places / BLOCK, BLOCK>>>(q, q + places, q + 2 * places, s, s + samples,
                                       s + 2 * samples, s + 3 * samples, out, samples,
                                       12.5f);
  });
  bench::report("out", out, places);
}
