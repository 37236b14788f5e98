// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last tile is stored in part and read in that part alone, in dynamic shared
// memory that is one array.
// REQUIRES: executor
// RUN: %variants --at-least=4 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 4

// The points that are nearest to others.
__global__ void nearest(const float4 *__restrict__ q,
                        const float4 *__restrict__ p, float *__restrict__ d,
                        int N) {
  extern __shared__ float4 points[];
  int t = threadIdx.x;
  float4 me = q[blockIdx.x * blockDim.x + t];
  float best = 1e30f;
  for (int base = 0; base < N; base += blockDim.x) {
    int n = min((int)blockDim.x, N - base);
    if (t < n)
      points[t] = p[base + t];
    __syncthreads();
    for (int j = 0; j < n; ++j)
      best = fminf(best, fabsf(points[j].x - me.x) + points[j].w);
    __syncthreads();
  }
  d[blockIdx.x * blockDim.x + t] = best;
}

__global__ void by_bound(const float *__restrict__ q,
                         const float *__restrict__ p, float *__restrict__ d,
                         int N) {
  extern __shared__ float tile[];
  int t = threadIdx.x;
  float me = q[blockIdx.x * blockDim.x + t], best = 1e30f;
  for (int base = 0; base < N; base += 64) {
    if (base + t < N)
      tile[t] = p[base + t];
    __syncthreads();
    int n = min(64, N - base);
    for (int j = 0; j < n; ++j)
      best = fminf(best, fabsf(tile[j] - me));
    __syncthreads();
  }
  d[blockIdx.x * blockDim.x + t] = best;
}

// The end of the copies' loop.
__global__ void __launch_bounds__(32)
by_loop(const float *__restrict__ p, float *__restrict__ d, int N) {
  extern __shared__ float part[];
  int t = threadIdx.x;
  float sum = 0;
  for (int base = 0; base < N; base += 64) {
    const int count = min(64, N - base);
    for (int i = t; i < 64; i += 32)
      if (i < count)
        part[i] = p[base + i];
    __syncthreads();
    for (int j = 0; j < count; ++j)
      sum += part[j] * float(j + t);
    __syncthreads();
  }
  d[t] = sum;
}

// Rows of three.
__global__ void rows(const float *__restrict__ q, const float *__restrict__ p,
                     float *__restrict__ d, int N) {
  extern __shared__ float three[][3];
  int t = threadIdx.x;
  float me = q[blockIdx.x * blockDim.x + t], best = 1e30f;
  for (int base = 0; base < N; base += blockDim.x) {
    int n = min((int)blockDim.x, N - base);
    if (t < n)
      for (int c = 0; c < 3; ++c)
        three[t][c] = p[(base + t) * 3 + c];
    __syncthreads();
    for (int j = 0; j < n; ++j)
      best = fminf(best, fabsf(three[j][0] - me) + three[j][1] * three[j][2]);
    __syncthreads();
  }
  d[blockIdx.x * blockDim.x + t] = best;
}

void run_rows(const float *q, const float *p, float *d, int n) {
  rows<<<2, 32, 96 * sizeof(float)>>>(q, p, d, n);
}
void run_nearest(const float4 *q, const float4 *p, float *d, int n) {
  nearest<<<2, 32, 32 * sizeof(float4)>>>(q, p, d, n);
}
void run_by_bound(const float *q, const float *p, float *d, int n) {
  by_bound<<<2, 64, 64 * sizeof(float)>>>(q, p, d, n);
}
void run_by_loop(const float *p, float *d, int n) {
  by_loop<<<1, 32, 64 * sizeof(float)>>>(p, d, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(nearest) {
  for (int n : sizes(32)) {
    auto q = in<float>("q", 4 * 64), p = in<float>("p", 4 * n);
    auto d = out<float>("d", 64);
    run_nearest(q.as<float4>(), p.as<float4>(), d, n);
  }
}
CASE(by_bound) {
  for (int n : sizes(64)) {
    auto q = in<float>("q", 128), p = in<float>("p", n);
    auto d = out<float>("d", 128);
    run_by_bound(q, p, d, n);
  }
}
CASE(rows) {
  for (int n : sizes(32)) {
    auto q = in<float>("q", 64), p = in<float>("p", 3 * n);
    auto d = out<float>("d", 64);
    run_rows(q, p, d, n);
  }
}
CASE(by_loop) {
  for (int n : sizes(64)) {
    auto p = in<float>("p", n), d = out<float>("d", 32);
    run_by_loop(p, d, n);
  }
}
#endif
