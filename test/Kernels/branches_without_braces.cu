// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and copy loops in branches without braces: what is written into one
// half of the load, or left out of it, leaves each `else` with its `if`.
// REQUIRES: executor
// RUN: %variants --at-least=15 %s
// RUN: %kpipe rewrite --arch=sm_86 %s 2>/dev/null | %code | FileCheck %s

constexpr int T = 64, Most = 160;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n, int tile)

// A loop that gets a counter, and with it an `if` of its own, in a first branch.
// CHECK-LABEL: loop_before_else
// CHECK: if (k & 64) {
// CHECK: } else {
BEGIN(loop_before_else) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (k & 64)
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 2;
    else
      for (int j = t; j <= tile - 1; j += T)
        xs[j] = x[k + j] * 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// The same on single lines, with comments where braces go.
BEGIN(in_one_line) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (k & 64) for (int i = t; i < tile; i += T) xs[i] = x[k + i] * 2; else for (int i = t; i < tile; i += T) xs[i] = x[k + i] * 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(with_comments) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (k & 64) // even
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 2; // twice
    // odd
    else /* three times */
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 3; // here
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// A chain, in which each loop but the last stands in front of an `else`.
BEGIN(chain) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (k % 3 == 0)
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 2;
    else if (k % 3 == 1)
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 3;
    else
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 5;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// The body of a copy loop is an `if` with an `else`, and a loop with one.
// CHECK-LABEL: else_in_loop
// CHECK: if (i < tile) {
// CHECK-NEXT: if (
BEGIN(else_in_loop) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T)
      if (x[k + i] > 0)
        xs[i] = x[k + i] * 2;
      else
        xs[i] = x[k + i] * 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(else_in_both) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (tile & 64)
      for (int i = t; i < tile; i += T)
        if (k + i & 1)
          xs[i] = x[k + i] * 2;
        else
          xs[i] = x[k + i] + 2;
    else
      for (int i = t; i < tile; i += T)
        if (k + i & 1)
          xs[i] = x[k + i] * 3;
        else
          xs[i] = x[k + i] + 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// The `else` of an inner `if` is left out of the half that stores, or of the
// half that runs ahead: the outer one must not take its place.
BEGIN(inner_else_for_values) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    float by = 1, to = 0;
    if (k & 64)
      if (t & 1)
        xs[t] = x[k + t] * 2;
      else
        by = 2, to = 1;
    else
      xs[t] = x[k + t] * 3;
    if (by > 1)
      xs[t] = x[k + t] * by + to;
    for (int i = t + T; i < tile; i += T)
      xs[i] = x[k + i];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(inner_else_for_places) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    int at = t;
    if (k & 64)
      if (t & 1)
        xs[t] = x[k + t] * 2;
      else
        xs[t] = 7;
    else
      at = t ^ 1;
    if (!(k & 64))
      xs[at] = x[k + t] * 3;
    for (int i = t + T; i < tile; i += T)
      xs[i] = x[k + i];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(constant_in_front) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (k & 64)
      for (int i = t; i < tile; i += T)
        if (i & 1)
          xs[i] = x[k + i];
        else
          xs[i] = 0;
    else
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// Rows in columns, an attribute, a range.
BEGIN(nested_loops) {
  __shared__ float xs[4][96];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 4 * 96) {
    if (tile & 64)
      for (int r = 0; r < 4; ++r)
        for (int i = t; i < 96; i += T)
          xs[r][i] = x[k + r * 96 + i] * 2;
    else
#pragma unroll
      for (int r = 0; r < 4; ++r)
        for (int i = t; i < 96; i += T)
          xs[r][i] = x[k + i * 4 + r] * 3;
    __syncthreads();
    for (int r = 0; r < 4; ++r)
      sum += xs[r][t ^ 1] * (r + 1);
    __syncthreads();
  }
  y[t] = sum;
}

// Pure copies, which become asynchronous where they can.
BEGIN(pure_copies) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (tile & 64)
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i];
    else
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + (i ^ 1)];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
// One that is filled with zeros where its guard fails.
BEGIN(guarded_values) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (tile & 64)
      for (int i = t; i < tile; i += T)
        xs[i] = k + i < n ? x[k + i] : 0;
    else
      for (int i = t; i < tile; i += T)
        xs[i] = k + i < n - 3 ? x[k + i + 3] : 0;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// A body in braces, behind which the `if` ends all the same.
BEGIN(braces_inside) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    if (tile & 64)
      for (int i = t; i < tile; i += T) {
        float v = x[k + i];
        xs[i] = v * v;
      }
    else
      for (int i = t; i < tile; i += T) {
        float v = x[k + i];
        xs[i] = v * 3;
      }
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// Two arrays, one in each branch; and one copy, no loop.
BEGIN(two_arrays) {
  __shared__ float xs[T];
  __shared__ float zs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = zs[t] = 0;
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (t < T / 2)
      xs[t] = x[k + t] * 2;
    else
      zs[t] = x[k + t] * 3;
    __syncthreads();
    sum += xs[t ^ 1] + 2 * zs[t ^ 2];
    __syncthreads();
  }
  y[t] = sum;
}

// In a helper.
__device__ void fill(const float *x, float (&xs)[Most], int tile, bool twice) {
  if (twice)
    for (int i = threadIdx.x; i < tile; i += T)
      xs[i] = x[i] * 2;
  else
    for (int i = threadIdx.x; i < tile; i += T)
      xs[i] = x[i] * 3;
}
BEGIN(in_helper) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    fill(x + k, xs, tile, k & 64);
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME)                                                             \
  CASE(NAME) {                                                                 \
    for (int tile : {64, 96, 160})                                             \
      for (int n : multiples(tile)) {                                          \
        auto x = in<float>("x", n + 900);                                      \
        auto y = out<float>("y", T);                                           \
        launch({dim3(1), dim3(T)}, NAME, x, y, n, tile);                       \
      }                                                                        \
  }
EACH(loop_before_else)
EACH(in_one_line)
EACH(with_comments)
EACH(chain)
EACH(else_in_loop)
EACH(else_in_both)
EACH(inner_else_for_values)
EACH(inner_else_for_places)
EACH(constant_in_front)
EACH(nested_loops)
EACH(pure_copies)
EACH(guarded_values)
EACH(braces_inside)
EACH(two_arrays)
EACH(in_helper)
#endif
