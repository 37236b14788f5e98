// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops whose bound only the run knows: the declared size of the array
// ends them, unless the counter or the index wraps around, or the bound hangs
// on the counter, so that a turn behind the last one would copy as well.
// REQUIRES: executor
// RUN: %variants --legal=_legal --at-least=2 %s
//
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --arch=sm_86 %s -o %t.cu 2>/dev/null
// RUN: %execute %s %t.cu

constexpr int T = 64;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n, int tile)
#define SUM                                                                    \
  for (int i = 0; i < tile; ++i)                                               \
    sum += xs[i] * (i ^ t);

// The counter goes to -128 behind 127 and counts on, into `before`.
KERNEL(signed_char) {
  __shared__ float before[200], xs[200];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < 200; i += T)
    before[i] = i;
  __syncthreads();
  for (int k = 0; k < n; k += tile) {
    for (signed char i = threadIdx.x & 63; i < tile; i += T)
      xs[i] = x[200 + k + i] * 2;
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum + before[t] + before[199 - t] + before[100 + t];
}

// The array is longer than the counter's type reaches: it begins anew.
KERNEL(unsigned_char) {
  __shared__ float xs[320];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (unsigned char i = threadIdx.x & 63; i < tile; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}

// Index i - 1, by an offset that is not negative: the last row has i = 8.
KERNEL(index) {
  __shared__ float xs[8][T];
  const int t = threadIdx.x;
  constexpr unsigned Off = -1;
  const int rows = tile < 8 ? tile : 8;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = 1; i <= rows; ++i)
      xs[i + Off][t] = x[k + i + t] * 2;
    __syncthreads();
    for (int i = 0; i < rows; ++i)
      sum += xs[i][t ^ 1] * (i + 1);
    __syncthreads();
  }
  y[t] = sum;
}

// A product that wraps: the rows are i, although the factor says more.
KERNEL(product) {
  __shared__ float xs[16][T];
  const int t = threadIdx.x;
  const unsigned rows = tile < 8 ? tile : 8;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (unsigned i = 0; i < 2 * rows; i += 2)
      xs[i * 0x80000001u][t] = x[k + i + t] * 2;
    __syncthreads();
    for (int i = 0; i < rows; ++i)
      sum += xs[2 * i][t ^ 1] * (i + 1);
    __syncthreads();
  }
  y[t] = sum;
}

// The condition fails for one turn and would hold again for the next.
KERNEL(bound) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < 4 * T; i += T)
    xs[i] = i;
  __syncthreads();
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < ((i & 64) ? 0 : tile); i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}

// Counters and sums of 32 bits that stay within their type.
KERNEL(counter_legal) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (unsigned i = threadIdx.x; i < tile; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
KERNEL(offset_legal) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = 0; i < tile; i += T)
      if (i + t < tile)
        xs[i + threadIdx.x] = x[k + i + t] * 2;
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME, ...)                                                        \
  CASE(NAME) {                                                                 \
    for (int tile : {__VA_ARGS__})                                             \
      for (int n : multiples(tile)) {                                          \
        auto x = in<float>("x", n + 600), y = out<float>("y", T);              \
        launch({1, T}, NAME, x, y, n, tile);                                   \
      }                                                                        \
  }
EACH(signed_char, 4, 63)
EACH(unsigned_char, 4, 64, 96, 130)
EACH(index, 1, 3, 8)
EACH(product, 1, 3, 8)
EACH(bound, 4, 64, 96, 160)
EACH(counter_legal, 4, 64, 96, 160)
EACH(offset_legal, 4, 64, 96, 160)
#endif
