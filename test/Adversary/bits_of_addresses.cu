// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single bits of a tile's address decide where elements lie, or which ones are
// taken. In a stage that is not so far away from the first one that the bits are
// the same, they decide otherwise than what was asked in front of the loop.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=9 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
//
// The check of the result refuses alone what the rules refuse.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --arch=sm_86 %s -o %t.off.cu 2>/dev/null
// RUN: %execute --flag=-I%S %s %t.off.cu

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (threadIdx.x ^ j);

__device__ inline unsigned word(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }

// Of tiles that are all alike, what each has in one place is compared with what the
// first one had there: wherever the array lies, that is the same.
#define COMPARE                                                                \
  {                                                                            \
    if (i == 0)                                                                \
      first = xs[threadIdx.x];                                                 \
    sum += (xs[threadIdx.x] - first) * (i + 1);                                \
  }
BEGIN(word_in_store) {
  __shared__ float xs[T];
  float sum = 0, first = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x ^ (word(xs) >> 8 & 1)] = x[i + threadIdx.x];
    __syncthreads();
    COMPARE
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: single buffer of xs
BEGIN(pointer_in_store) {
  __shared__ float xs[T];
  float sum = 0, first = 0;
  for (int i = 0; i < n; i += T) {
    const size_t at = size_t(xs);
    xs[threadIdx.x ^ (at >> 8 & 1)] = x[i + threadIdx.x];
    __syncthreads();
    COMPARE
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: single buffer of xs

// What is loaded hangs on it.
BEGIN(in_source) {
  __shared__ float xs[T];
  float sum = 0, first = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + (threadIdx.x ^ (word(&xs[0]) / 256 & 1))];
    __syncthreads();
    COMPARE
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: single buffer of xs

// In a function, of a parameter.
__device__ inline unsigned flip(const float *p) {
  unsigned a = word(p);
  a >>= 8;
  return a & 1;
}
BEGIN(in_function) {
  __shared__ float xs[T];
  float sum = 0, first = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const float mine = xs[threadIdx.x ^ flip(xs)];
    if (i == 0)
      first = mine;
    sum += (mine - first) * (i + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: single buffer of xs

// As a condition.
BEGIN(in_condition) {
  __shared__ float xs[T];
  float sum = 0;
  int even = 0, odd = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    unsigned at = word(xs);
    at %= 512;
    if (at >= 256)
      ++odd;
    else
      ++even;
    SUM
    __syncthreads();
  }
  y[threadIdx.x] = sum + odd * even; // one of them is 0
}
// CHECK: single buffer of xs

// By assembly.
BEGIN(in_assembly) {
  __shared__ float xs[T];
  float sum = 0, first = 0;
  for (int i = 0; i < n; i += T) {
    unsigned at;
    asm("and.b32 %0, %1, 256;" : "=r"(at) : "r"(word(xs)));
    xs[threadIdx.x ^ (at ? 1 : 0)] = x[i + threadIdx.x];
    __syncthreads();
    COMPARE
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: warning: not pipelined

// Stages at multiples of 1024 bytes have the bits of every swizzle in common.
BEGIN(far_apart_legal) {
  __shared__ __align__(1024) float xs[8][32];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int k = threadIdx.x; k < 256; k += T)
      xs[k / 32][(k % 32) ^ (k / 32 << 2)] = x[i + k / 4];
    __syncthreads();
    for (int j = 0; j < 256; ++j) {
      const unsigned at = word(&xs[j / 32][0]);
      sum += xs[j / 32][(j % 32) ^ (at >> 5 & 28)] * (threadIdx.x ^ j);
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: 2 stages of xs
// The distance of two addresses is no bit of one.
BEGIN(distances_legal) {
  __shared__ float xs[4][16];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x / 16][threadIdx.x % 16] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      const int row = (xs[j / 16] - xs[0]) / 16;
      sum += xs[row][j % 16] * (threadIdx.x ^ j);
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: 2 stages of xs
// Bits of what is in the tile, and of indices.
BEGIN(bits_of_values_legal) {
  __shared__ unsigned xs[T];
  unsigned sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x ^ (n >> 2 & 7)] = unsigned(int(x[i + threadIdx.x]));
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum = (sum << 1) ^ (xs[j] >> 2 & 15) ^ (threadIdx.x & xs[j ^ 1]);
    __syncthreads();
  }
  y[threadIdx.x] = sum % 1024;
}
// CHECK: 2 stages of xs

// A row's length in an object beside the pointer.
struct Rows {
  const float *p;
  int length;
};
BEGIN(numbers_beside_legal) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const Rows rows{xs, 16};
    for (int j = 0; j < T; ++j)
      sum += rows.p[j / rows.length * rows.length + j % rows.length] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: 2 stages of xs

#ifdef KPIPE_HARNESS
#include "adversary.h"
// Tiles that are all alike.
#define ALIKE(K)                                                               \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T, [](size_t i) { return i % T * 0.5f; }); \
      auto y = out<float>("y", T);                                             \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
ALIKE(word_in_store)
ALIKE(pointer_in_store)
ALIKE(in_source)
ALIKE(in_function)
ALIKE(in_condition)
ALIKE(in_assembly)
TILES(far_apart_legal)
TILES(distances_legal)
TILES(bits_of_values_legal)
TILES(numbers_beside_legal)
#endif
