// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nearest triangle on each of many rays, without a tree: three float4 a triangle, 96
// triangles a tile, a ray a thread.
#include "bench.h"

struct Triangle {
  float4 v0, e1, e2;
};

__device__ __forceinline__ float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__device__ __forceinline__ float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__device__ __forceinline__ float3 xyz(float4 v) { return make_float3(v.x, v.y, v.z); }

constexpr int kTriangles = 96, kRays = 96;

__global__ void trace(const float4 *origins, const float4 *directions,
                      const float4 *triangles, int count, float *depth, int *hit) {
  __shared__ Triangle batch[kTriangles];
  const int ray = blockIdx.x * kRays + threadIdx.x;
  const float3 o = xyz(origins[ray]), d = xyz(directions[ray]);
  float nearest = 1e30f;
  int which = -1;

  for (int base = 0; base < count; base += kTriangles) {
    const float4 *from = triangles + 3 * (base + threadIdx.x);
    batch[threadIdx.x].v0 = from[0];
    batch[threadIdx.x].e1 = from[1];
    batch[threadIdx.x].e2 = from[2];
    __syncthreads();

    for (int i = 0; i < kTriangles; ++i) {
      const float3 e1 = xyz(batch[i].e1), e2 = xyz(batch[i].e2), v0 = xyz(batch[i].v0);
      const float3 p = cross(d, e2);
      const float det = dot(e1, p);
      if (fabsf(det) < 1e-7f)
        continue;
      const float inv = 1.0f / det;
      const float3 s = make_float3(o.x - v0.x, o.y - v0.y, o.z - v0.z);
      const float u = dot(s, p) * inv;
      const float3 q = cross(s, e1);
      const float v = dot(d, q) * inv, t = dot(e2, q) * inv;
      if (u >= 0.0f && v >= 0.0f && u + v <= 1.0f && t > 0.0f && t < nearest) {
        nearest = t;
        which = base + i;
      }
    }
    __syncthreads();
  }
  depth[ray] = nearest;
  hit[ray] = which;
}

int main() {
  const int blocks = bench::size(1024), rays = blocks * kRays;
  const int count = bench::tiled(96 * 48, kTriangles);
  float *o = bench::random<float>(size_t(rays) * 4, 1);
  float *d = bench::random<float>(size_t(rays) * 4, 2);
  float *triangles = bench::random<float>(size_t(count + 1) * 12, 3);
  float *depth = bench::output<float>(rays);
  int *hit = bench::output<int>(rays);
  bench::run("ray_triangles", [&] {
    trace<<<blocks, kRays>>>(reinterpret_cast<float4 *>(o), reinterpret_cast<float4 *>(d),
                             reinterpret_cast<float4 *>(triangles), count, depth, hit);
  });
  bench::report("depth", depth, rays);
  bench::report("hit", hit, rays);
}
