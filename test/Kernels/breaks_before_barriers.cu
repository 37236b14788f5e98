// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Endless loops that end in front of their last barrier: all threads leave them
// in one turn, and may meet once more.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 3

#include <cuda_runtime.h>

constexpr int T = 32;

// A number that the loop counts.
__global__ void __launch_bounds__(T)
    counted(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  int i = 0;
  const int t = threadIdx.x;
  for (;;) {
    s[t] = i + t < n ? x[i + t] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum = sum * 0.5f + s[k];
    i += T;
    if (i >= n)
      break;
    __syncthreads();
  }
  y[t] = sum;
}

// What is left, in a while loop, and two barriers.
__global__ void __launch_bounds__(T)
    left_over(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  int left = n;
  const int t = threadIdx.x;
  while (true) {
    s[t] = t < left ? x[n - left + t] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum = sum * 0.5f + s[k];
    left -= T;
    if (left <= 0) {
      break;
    }
    __syncthreads();
    __syncthreads();
  }
  y[t] = sum;
}

// A pointer that moves.
__global__ void __launch_bounds__(T)
    pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  const float *end = x + n * T;
  const int t = threadIdx.x;
  for (;;) {
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum = sum * 0.5f + s[k];
    x += T;
    if (x == end) break;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static const int Lengths[] = {1, 7, 31, 32, 33, 64, 70, 95, 97, 130, 161, 224};
CASE(breaks_counted) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, counted, x, y, n);
  }
}
CASE(breaks_left) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, left_over, x, y, n);
  }
}
CASE(breaks_pointer) {
  for (int n : {1, 2, 3, 5, 8}) {
    auto x = in<float>("x", n * T), y = out<float>("y", T);
    launch({1, T}, pointer, x, y, n);
  }
}
#endif
