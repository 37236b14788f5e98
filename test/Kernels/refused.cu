// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that must be left alone, each for one reason of the rules; all are sound
// as they stand.
// REQUIRES: executor
// RUN: %variants %s | FileCheck %s
// CHECK-NOT: {{[1-9]}} pipelined

constexpr int T = 64;

// carried-shared: the tile is changed in place, the next iteration reads it.
__global__ void __launch_bounds__(T)
carried_shared(const float *x, float *y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] += x[i + threadIdx.x];
    __syncthreads();
    if (i + T >= n)
      y[threadIdx.x] = xs[T - 1 - threadIdx.x];
    __syncthreads();
  }
}

// carried-scalar: what is loaded next depends on what was computed.
__global__ void __launch_bounds__(T)
carried_scalar(const int *x, int *y, int n) {
  __shared__ int xs[T];
  int at = 0, sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at * T + threadIdx.x];
    __syncthreads();
    sum += xs[T - 1 - threadIdx.x];
    at = (xs[0] & 7) * T < n ? xs[0] & 7 : 0;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// control-flow: the loop ends when the data say so.
__global__ void __launch_bounds__(T)
data_break(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    float first = xs[0];
    __syncthreads();
    if (first > 3.0f)
      break;
  }
  y[threadIdx.x] = sum;
}

// may-alias: the loop stores what a later iteration loads.
__global__ void __launch_bounds__(T) may_alias(float *x, int n) {
  __shared__ float xs[T];
  for (int i = 0; i + T < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    x[i + T + threadIdx.x] += xs[T - 1 - threadIdx.x];
    __syncthreads();
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(carried_shared) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, carried_shared, x, y, n);
  }
}
CASE(carried_scalar) {
  for (int n : multiples(T)) {
    auto x = in<int>("x", n), y = out<int>("y", T);
    launch({1, T}, carried_scalar, x, y, n);
  }
}
CASE(data_break) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, data_break, x, y, n);
  }
}
CASE(may_alias) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n);
    launch({1, T}, may_alias, x, n);
  }
}
#endif
