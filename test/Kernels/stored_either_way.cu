// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that say what a tile holds and not whether it is written: both arms
// store the same places, or a fill has stored them before. The tile is rewritten
// in each iteration and has two stages.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK-COUNT-6: remark: pipelined K-loop: 2 stages

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

// Two arrays in each arm.
BEGIN(both_arms) {
  __shared__ float xs[T];
  __shared__ float zs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n) {
      xs[t] = x[k + t];
      zs[t] = 2 * x[k + t];
    } else {
      xs[t] = 0;
      zs[t] = 1;
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * zs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// Conditions within conditions: one of four stores is always made.
BEGIN(nested) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n) {
      if (k & T)
        xs[t] = x[k + t] + 1;
      else
        xs[t] = x[k + t] - 1;
    } else if (t & 1) {
      xs[t] = 3;
    } else
      xs[t] = 4;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// In the body of a copy loop.
BEGIN(in_loop) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      int at = k + i * T + t;
      if (at < n) {
        float v = x[at];
        xs[i * T + t] = v * v;
      } else {
        xs[i * T + t] = 0;
      }
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// Zero first, then what there is.
BEGIN(fill_first) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = 0;
    if (k + t < n)
      xs[t] = 2 * x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The same in a loop, of a pure copy.
BEGIN(fill_first_in_loop) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      xs[i * T + t] = 0;
      if (k + i * T + t < n)
        xs[i * T + t] = x[k + i * T + t];
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// In a helper.
__device__ void fill(float *xs, const float *x, int k, int n) {
  if (k + threadIdx.x < n) {
    xs[threadIdx.x] = x[k + threadIdx.x] / 2;
  } else {
    xs[threadIdx.x] = 0;
  }
}
BEGIN(in_helper) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    fill(xs, x, k, n);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 3 * n + 3 * T);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(both_arms) { run(both_arms); }
CASE(nested) { run(nested); }
CASE(in_loop) { run(in_loop); }
CASE(fill_first) { run(fill_first); }
CASE(fill_first_in_loop) { run(fill_first_in_loop); }
CASE(in_helper) { run(in_helper); }
#endif
