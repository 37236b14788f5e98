// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last tile is stored in part, and its elements are read through references
// that are only read, as far as a minimum says that is written out.
// REQUIRES: executor
// RUN: %variants --at-least=4 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 4

struct Point {
  float x, y, z, w;
};
__device__ float distance(const Point &a, const Point &b) {
  const float dx = a.x - b.x, dy = a.y - b.y;
  return dx * dx + dy * dy + b.z;
}
__device__ Point operator-(const Point &a, const Point &b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w};
}

__global__ void by_call(const Point *__restrict__ q,
                        const Point *__restrict__ p, float *__restrict__ d,
                        int n) {
  __shared__ Point tile[32];
  const int t = threadIdx.x;
  const Point me = q[t];
  float best = 1e30f;
  for (int base = 0; base < n; base += 32) {
    if (base + t < n)
      tile[t] = p[base + t];
    __syncthreads();
    const int count = min(32, n - base);
    for (int j = 0; j < count; ++j)
      best = fminf(best, distance(me, tile[j]));
    __syncthreads();
  }
  d[t] = best;
}

__global__ void unsigned_rest(const Point *__restrict__ q,
                              const Point *__restrict__ p,
                              float *__restrict__ d, unsigned n) {
  __shared__ Point tile[32];
  const unsigned t = threadIdx.x;
  const Point me = q[t];
  float sum = 0.0f;
  for (unsigned base = 0; base < n; base += 32) {
    if (base + t < n)
      tile[t] = p[base + t];
    __syncthreads();
    const unsigned count = n - base < 32u ? n - base : 32u;
    for (unsigned j = 0; j < count; ++j)
      sum += distance(tile[j], me);
    __syncthreads();
  }
  d[t] = sum;
}

__global__ void by_reference(const Point *__restrict__ p,
                             float *__restrict__ d, int n) {
  __shared__ Point tile[32];
  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int base = 0; base < n; base += 32) {
    if (base + t < n)
      tile[t] = p[base + t];
    __syncthreads();
    for (int j = 0; j < 32 && base + j < n; ++j) {
      const Point &one = tile[j];
      sum += one.x * t + one.w;
    }
    __syncthreads();
  }
  d[t] = sum;
}

__global__ void by_operator(const Point *__restrict__ q,
                            const Point *__restrict__ p,
                            float *__restrict__ d, int n) {
  __shared__ Point tile[32];
  const int t = threadIdx.x;
  const Point me = q[t];
  float sum = 0.0f;
  for (int base = 0; base < n; base += 32) {
    if (base + t < n)
      tile[t] = p[base + t];
    __syncthreads();
    const int rest = n - base;
    const int count = rest < 32 ? rest : 32;
    for (int j = 0; j < count; ++j) {
      const Point apart = tile[j] - me;
      sum += apart.x * apart.y + apart.z;
    }
    __syncthreads();
  }
  d[t] = sum;
}

void run_by_call(const Point *q, const Point *p, float *d, int n) {
  by_call<<<2, 32>>>(q, p, d, n);
}
void run_unsigned(const Point *q, const Point *p, float *d, unsigned n) {
  unsigned_rest<<<2, 32>>>(q, p, d, n);
}
void run_by_reference(const Point *p, float *d, int n) {
  by_reference<<<2, 32>>>(p, d, n);
}
void run_by_operator(const Point *q, const Point *p, float *d, int n) {
  by_operator<<<2, 32>>>(q, p, d, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(by_call) {
  for (int n : sizes(32)) {
    auto q = in<float>("q", 128), p = in<float>("p", 4 * n);
    auto d = out<float>("d", 32);
    run_by_call(q.as<Point>(), p.as<Point>(), d, n);
  }
}
CASE(unsigned_rest) {
  for (int n : sizes(32)) {
    auto q = in<float>("q", 128), p = in<float>("p", 4 * n);
    auto d = out<float>("d", 32);
    run_unsigned(q.as<Point>(), p.as<Point>(), d, n);
  }
}
CASE(by_reference) {
  for (int n : sizes(32)) {
    auto p = in<float>("p", 4 * n), d = out<float>("d", 32);
    run_by_reference(p.as<Point>(), d, n);
  }
}
CASE(by_operator) {
  for (int n : sizes(32)) {
    auto q = in<float>("q", 128), p = in<float>("p", 4 * n);
    auto d = out<float>("d", 32);
    run_by_operator(q.as<Point>(), p.as<Point>(), d, n);
  }
}
#endif
