// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops behind other code on their line, or with other code behind them: what
// stands there stays where it is, once.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --variant=ldg 2>/dev/null | FileCheck %s
// CHECK: whole(const float *x, float *y, int n) { __shared__ float xs_{{stages}}[2][T]; float s = 0; {
// CHECK: {{^}}} y[threadIdx.x] = s; }
constexpr int T = 64;

// clang-format off
__global__ void __launch_bounds__(T) whole(const float *x, float *y, int n) { __shared__ float xs[T]; float s = 0; for (int k = 0; k < n; k += T) { xs[threadIdx.x] = x[k + threadIdx.x]; __syncthreads(); for (int j = 0; j < T; ++j) s += xs[j] * (threadIdx.x ^ j); __syncthreads(); } y[threadIdx.x] = s; }

__global__ void __launch_bounds__(T) behind_declarations(const float *x, float *y, int n) {
  __shared__ float xs[T]; float s = 0; for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) s += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  } y[threadIdx.x] = s;
}

// A pragma of a line that begins with something else; comments around.
__global__ void __launch_bounds__(T) behind_another_loop(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float s = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) s += i; /* then */ for (int k = 0; k < n; k += T) { // tiles
    xs[threadIdx.x] = x[k + threadIdx.x]; __syncthreads();
    for (int j = 0; j < T; ++j) s += xs[j] * (threadIdx.x ^ j);
    __syncthreads(); } s += 1; // done
  y[threadIdx.x] = s;
}

__global__ void __launch_bounds__(T) in_a_while(const float *x, float *y, int n) {
  __shared__ float xs[T]; float s = 0; int k = 0; while (k < n) { xs[threadIdx.x] = x[k + threadIdx.x]; __syncthreads();
    for (int j = 0; j < T; ++j) s += xs[j] * (threadIdx.x ^ j);
    __syncthreads(); k += T; } y[threadIdx.x] = s + k;
}

__global__ void __launch_bounds__(T) in_a_do(const float *x, float *y, int n) {
  __shared__ float xs[T]; float s = 0; int k = 0; if (n > 0) do { xs[threadIdx.x] = x[k + threadIdx.x]; __syncthreads();
    for (int j = 0; j < T; ++j) s += xs[j] * (threadIdx.x ^ j);
    __syncthreads(); k += T; } while (k < n); y[threadIdx.x] = s + k;
}

__global__ void __launch_bounds__(T) two_in_a_line(const float *x, float *y, int n) {
  __shared__ float xs[T]; float s = 0;
  for (int k = 0; k < n; k += T) { xs[threadIdx.x] = x[k + threadIdx.x]; __syncthreads(); s += xs[T - 1 - threadIdx.x]; __syncthreads(); } for (int k = 0; k < n; k += T) { xs[threadIdx.x] = x[k + threadIdx.x]; __syncthreads(); s *= 1 + xs[threadIdx.x ^ 1]; __syncthreads(); }
  y[threadIdx.x] = s;
}
// clang-format on

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME)                                                             \
  CASE(NAME) {                                                                 \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      launch({1, T}, NAME, x, y, n);                                           \
    }                                                                          \
  }
EACH(whole)
EACH(behind_declarations)
EACH(behind_another_loop)
EACH(in_a_while)
EACH(in_a_do)
EACH(two_in_a_line)
#endif
