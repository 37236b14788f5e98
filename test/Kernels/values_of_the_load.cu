// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that the load computes and that the compute, or what follows the loop,
// needs as well: either region has them computed, where that does nothing else
// and reads nothing that the loop changes.
// REQUIRES: executor
// RUN: %variants --at-least=9 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK-COUNT-9: remark: pipelined K-loop: 2 stages

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define USE                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (t ^ j)

// The value that is stored, of a variable of the body and of one outside.
BEGIN(value) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float v = x[k + t];
    xs[t] = v;
    __syncthreads();
    USE;
    sum += 3 * v;
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(value_outside) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float v;
  for (int k = 0; k < n; k += T) {
    v = x[k + t];
    xs[t] = v;
    __syncthreads();
    USE;
    sum += 3 * v;
    __syncthreads();
  }
  y[t] = sum;
}

// Behind the loop it is the last tile's.
BEGIN(value_after) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float v = 7;
  for (int k = 0; k < n; k += T) {
    v = x[k + t];
    xs[t] = v;
    __syncthreads();
    USE;
    __syncthreads();
  }
  y[t] = sum + v;
}
BEGIN(value_here_and_after) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float v = 7;
  for (int k = 0; k < n; k += T) {
    v = x[k + t];
    xs[t] = 2 * v;
    __syncthreads();
    USE + v;
    __syncthreads();
  }
  y[t] = sum + v;
}

// An index, computed and loaded.
BEGIN(index) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int at = 1;
  for (int k = 0; k < n; k += T) {
    at = k + (t ^ 1);
    xs[t] = x[at];
    __syncthreads();
    USE;
    sum += at;
    __syncthreads();
  }
  y[t] = sum + at;
}
BEGIN(loaded_index) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int at;
  for (int k = 0; k < n; k += T) {
    at = x[k + t] > 0 ? k : k + 1;
    xs[t] = x[at + t];
    __syncthreads();
    USE;
    sum += at;
    __syncthreads();
  }
  y[t] = sum;
}

// What is left of the last tile, and whether a thread has an element of it.
BEGIN(limit) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    const int m = min(T, n - k);
    const bool mine = t < m;
    xs[t] = mine ? x[k + t] : 0.f;
    __syncthreads();
    for (int j = 0; j < m; ++j)
      if (mine)
        sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// By a condition of its own.
BEGIN(conditional) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float v = 0;
    if (k + 2 * t < n)
      v = x[k + t];
    xs[t] = v;
    __syncthreads();
    USE;
    sum += v;
    __syncthreads();
  }
  y[t] = sum;
}

// Indices in an array.
BEGIN(indices) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    int at[2];
    for (int i = 0; i < 2; ++i)
      at[i] = k + t + i;
    for (int i = 0; i < 2; ++i)
      xs[t + i * T] = x[at[i]] * 2;
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      sum += xs[(t ^ 1) + i * T] * at[i];
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + 2 * T);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(value) { run(value); }
CASE(value_outside) { run(value_outside); }
CASE(value_after) { run(value_after); }
CASE(value_here_and_after) { run(value_here_and_after); }
CASE(index) { run(index); }
CASE(loaded_index) { run(loaded_index); }
CASE(limit) { run(limit); }
CASE(conditional) { run(conditional); }
CASE(indices) { run(indices); }
#endif
