// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in registers that the load uses for itself and the compute for itself.
// Each side fills the elements that it reads, so nothing is handed over.
// REQUIRES: executor
// RUN: %variants --at-least=7 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK-COUNT-6: remark: pipelined K-loop: 2 stages

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

// A temporary of the load, a fragment of the compute.
BEGIN(temporary_and_fragment) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2];
  for (int k = 0; k < n; k += T) {
    r[0] = x[k + t];
    xs[t] = 2 * r[0];
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      r[i] = xs[t ^ i];
    for (int i = 0; i < 2; ++i)
      sum += r[i] * (i + t);
    __syncthreads();
  }
  y[t] = sum;
}

// In loops on both sides, and in nested ones.
BEGIN(loops) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[4];
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 4; ++i)
      r[i] = x[k + t + i];
    for (int i = 0; i < 4; ++i)
      xs[t + i * T] = r[i] * r[3 - i];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      for (int i = 0; i < 4; ++i)
        r[i] = xs[j + i * T];
      for (int i = 0; i < 4; ++i)
        sum += r[i] * (t ^ j);
    }
    __syncthreads();
  }
  y[t] = sum;
}

// Declared in the body.
BEGIN(of_the_body) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float r[2];
    r[0] = x[k + t];
    r[1] = x[k + t + 1];
    xs[t] = r[0] + r[1];
    xs[T + t] = r[0] - r[1];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      r[0] = xs[j];
      r[1] = xs[T + j];
      sum += r[0] * (t ^ j) + r[1];
    }
    __syncthreads();
  }
  y[t] = sum;
}

// Elements of two dimensions, and of a class, part by part.
BEGIN(of_vectors) {
  __shared__ float2 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  float2 r[2][2];
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      r[i][1].x = x[k + t + i];
      r[i][1].y = x[k + t] * 3;
    }
    xs[t] = r[0][1];
    xs[T + t].x = r[1][1].y;
    xs[T + t].y = r[1][1].x + 1;
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        r[i][j] = xs[(t ^ j) + i * T];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        sum += r[i][j].x * (i + 1) - r[j][i].y * t;
    __syncthreads();
  }
  y[t] = sum;
}

// Written on both ways of a condition, and read as what it converts to.
BEGIN(on_both_ways) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float r[2];
  for (int k = 0; k < n; k += T) {
    if (t & 1) {
      r[0] = x[k + t];
    } else {
      r[0] = 5;
      r[0] *= x[k + t + 1];
    }
    xs[t] = int(r[0]) + 0.5f;
    __syncthreads();
    r[0] = r[1] = 0;
    for (int j = 0; j < T; ++j)
      r[j % 2] += xs[j] * (t ^ j);
    sum += r[0] - 2 * r[1];
    __syncthreads();
  }
  y[t] = sum;
}

// Accumulators of one tile.
BEGIN(accumulators) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  float acc[2];
  for (int k = 0; k < n; k += T) {
#pragma unroll
    for (int i = 0; i < 2; i++) {
      acc[i] = x[k + t + i];
      xs[t + i * T] = acc[i] > 0 ? acc[i] : -acc[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2; i++)
      acc[i] = 0;
    for (int j = 0; j < T; ++j)
#pragma unroll
      for (int i = 0; i < 2; i++)
        acc[i] += xs[j + i * T] * (t ^ j);
    sum += acc[0] * acc[1];
    __syncthreads();
  }
  y[t] = sum;
}

// It is an index as well, which the half that stores computes again.
BEGIN(indices) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int at[2];
  for (int k = 0; k < n; k += T) {
    at[0] = t ^ 3;
    at[1] = k + t;
    xs[at[0]] = x[at[1]] + 1;
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      at[1] = j ^ t;
      sum += xs[j] * at[1];
    }
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
CASE(temporary_and_fragment) { run(temporary_and_fragment); }
CASE(loops) { run(loops); }
CASE(of_the_body) { run(of_the_body); }
CASE(of_vectors) { run(of_vectors); }
CASE(on_both_ways) { run(on_both_ways); }
CASE(accumulators) { run(accumulators); }
CASE(indices) { run(indices); }
#endif
