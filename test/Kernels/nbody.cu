// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// n-body: a tile of float4 bodies, one 16-byte copy a thread; and one of a
// 12-byte struct, which cp.async cannot copy whole.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s

constexpr int T = 64;

struct Charge {
  float x, y, q;
};

__device__ float3 interact(float3 a, float4 bi, float4 bj) {
  float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
  float d = r.x * r.x + r.y * r.y + r.z * r.z + 0.25f;
  float s = bj.w * rsqrtf(d * d * d);
  a.x += r.x * s;
  a.y += r.y * s;
  a.z += r.z * s;
  return a;
}

__global__ void __launch_bounds__(T)
nbody(const float4 *bodies, float3 *forces, int n) {
  __shared__ float4 tile[T];
  int i = blockIdx.x * T + threadIdx.x;
  float4 me = bodies[i];
  float3 acc = make_float3(0.0f, 0.0f, 0.0f);
  for (int t = 0; t < n; t += T) {
    tile[threadIdx.x] = bodies[t + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int j = 0; j < T; j++)
      acc = interact(acc, me, tile[j]);
    __syncthreads();
  }
  forces[i] = acc;
}

__global__ void __launch_bounds__(T)
potential(const Charge *charges, const float2 *points, float *out, int n) {
  __shared__ Charge tile[T];
  float2 p = points[threadIdx.x];
  float v = 0.0f;
  for (int base = 0; base < n; base += T) {
    tile[threadIdx.x] = charges[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      float dx = tile[j].x - p.x, dy = tile[j].y - p.y;
      v += tile[j].q * rsqrtf(dx * dx + dy * dy + 1.0f);
    }
    __syncthreads();
  }
  out[threadIdx.x] = v;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(nbody) {
  for (int n : multiples(T)) {
    if (n == 0)
      continue; // a thread reads its own body first
    auto b = in<float>("bodies", 4 * n), f = out<float>("forces", 3 * n);
    launch({dim3(1), T}, nbody, b.as<float4>(), f.as<float3>(), n);
  }
}
CASE(potential) {
  for (int n : multiples(T)) {
    auto c = in<float>("charges", 3 * n), p = in<float>("points", 2 * T);
    auto v = out<float>("out", T);
    launch({1, T}, potential, c.as<Charge>(), p.as<float2>(), v, n);
  }
}
#endif
