// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both arms of a condition store the same places, each in a loop of its own: the
// loops count the same, whatever their variables are called. The tile has two
// stages.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK-COUNT-6: remark: pipelined K-loop: 2 stages

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define SUM(Places)                                                            \
  for (int j = 0; j < (Places); ++j)                                           \
    sum += xs[j] * (t ^ j)

// A structure's members, and whether there is one.
template <int D>
__global__ void __launch_bounds__(T)
    points(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T * D];
  __shared__ int valid[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    if (at < n) {
      int row = at * D;
      for (int d = 0; d < D; ++d)
        xs[t * D + d] = x[row + d];
      valid[t] = 1;
    } else {
      for (int d = 0; d < D; ++d)
        xs[t * D + d] = 0;
      valid[t] = 0;
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      for (int d = 0; d < D; ++d)
        sum += valid[j] * xs[j * D + d] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void points<3>(const float *, float *, int);

// Other names, unrolled, and one arm in a block.
BEGIN(other_names) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n) {
#pragma unroll
      for (int i = 0; i < 4; i++) {
        float v = x[k + t + i];
        xs[i * T + t] = v * v;
      }
    } else
#pragma unroll
      for (int none = 0; none < 4; none++)
        xs[none * T + t] = -1;
    __syncthreads();
    SUM(4 * T);
    __syncthreads();
  }
  y[t] = sum;
}

// Loops in loops, by the rows that there are.
BEGIN(nested) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + T <= n)
      for (int r = 0; r < 4; r += 2)
        for (int c = 0; c < 2; ++c)
          xs[(r + c) * T + t] = x[k + t + r - c + 1];
    else
      for (int a = 0; a < 4; a += 2)
        for (int b = 0; b < 2; ++b)
          xs[(a + b) * T + t] = k + t < n ? x[k + t] : 0;
    __syncthreads();
    SUM(4 * T);
    __syncthreads();
  }
  y[t] = sum;
}

// A loop fills all places, another one those that there are.
BEGIN(fill_in_loop_first) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i)
      xs[2 * t + i] = 0;
    if (k + t < n)
      for (int i = 0; i < 2; ++i)
        xs[2 * t + i] = 2 * x[k + t + i];
    __syncthreads();
    SUM(2 * T);
    __syncthreads();
  }
  y[t] = sum;
}

// The condition is in the middle of the loops.
BEGIN(in_the_middle) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int r = 0; r < 2; ++r) {
      if (k + t + r < n) {
        for (int c = 0; c < 2; ++c)
          xs[(2 * r + c) * T + t] = x[k + t + r] - c;
      } else {
        for (int c = 0; c < 2; ++c)
          xs[(2 * r + c) * T + t] = r;
      }
    }
    __syncthreads();
    SUM(4 * T);
    __syncthreads();
  }
  y[t] = sum;
}

// By the thread's index, in a helper.
__device__ void fill(float *xs, const float *x, int k, int n) {
  if (k + T <= n)
    for (int i = threadIdx.x; i < 3 * T; i += T)
      xs[i] = x[k + i % T] / 2;
  else
    for (int i = threadIdx.x; i < 3 * T; i += T)
      xs[i] = 1;
}
BEGIN(in_helper) {
  __shared__ float xs[3 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    fill(xs, x, k, n);
    __syncthreads();
    SUM(3 * T);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : sizes(T))
    for (int left : {0, 5}) {
      auto x = in<float>("x", 3 * n + 6 * T);
      auto y = out<float>("y", T);
      launch({1, T}, kernel, x, y, n - left);
    }
}
CASE(points) { run(points<3>); }
CASE(other_names) { run(other_names); }
CASE(nested) { run(nested); }
CASE(fill_in_loop_first) { run(fill_in_loop_first); }
CASE(in_the_middle) { run(in_the_middle); }
CASE(in_helper) { run(in_helper); }
#endif
