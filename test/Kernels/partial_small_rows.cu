// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A last tile that is stored in part, of small rows in a flat array: points of
// three numbers, one condition for each.
// REQUIRES: executor
// RUN: %variants --at-least=4 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s
// CHECK-COUNT-4: remark: pipelined K-loop: 2 stages

constexpr int T = 64;

// A point for each thread, its numbers by a loop.
__global__ void __launch_bounds__(T)
by_loop(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * 3];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      for (int c = 0; c < 3; ++c)
        s[t * 3 + c] = x[(k + t) * 3 + c];
    __syncthreads();
    const int count = min(T, n - k);
    for (int j = 0; j < count; ++j)
      sum += s[j * 3] * s[j * 3 + 1] - s[j * 3 + 2] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// Its numbers one by one, and the compute asks for each point.
__global__ void __launch_bounds__(T)
one_by_one(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * 2];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n) {
      s[2 * t] = x[2 * (k + t)];
      s[2 * t + 1] = x[2 * (k + t) + 1];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (k + j < n)
        for (int c = 0; c < 2; ++c)
          sum += s[2 * j + c] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// Several points for each thread.
__global__ void __launch_bounds__(T)
several(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[4 * T * 4];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    for (int i = t; i < 4 * T; i += T)
      if (i + k < n)
        for (int c = 0; c < 4; ++c)
          s[i * 4 + c] = x[(k + i) * 4 + c];
    __syncthreads();
    for (int j = 0; j < 4 * T && k + j < n; ++j)
      sum += s[4 * j] * s[4 * j + 3] + s[4 * j + 1] * s[2 + 4 * j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// In a row of points for each line.
__global__ void __launch_bounds__(T)
in_lines(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[2][T * 3];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      for (int l = 0; l < 2; ++l)
        for (int c = 0; c < 3; ++c)
          s[l][t * 3 + c] = x[(l * n + k + t) * 3 + c];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (k + j < n)
        for (int c = 0; c < 3; ++c)
          sum += s[0][j * 3 + c] * s[1][j * 3 + c] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void points(void (*kernel)(const float *, float *, int), int numbers) {
  for (int n : {0, 1, 63, 64, 65, 128, 200, 256, 500, 1024}) {
    auto x = in<float>("x", numbers * n + 1), y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(by_loop) { points(by_loop, 3); }
CASE(one_by_one) { points(one_by_one, 2); }
CASE(several) { points(several, 4); }
CASE(in_lines) { points(in_lines, 6); }
#endif
