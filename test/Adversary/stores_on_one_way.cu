// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores that look as if one of them were always made: what the tile before left
// is read where none is.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s -- '-DFILL(Array)=' 2>&1 \
// RUN:   | FileCheck %s
// CHECK-COUNT-1: remark: pipelined K-loop: 2 stages
// CHECK-NOT: 2 stages

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
// Without this fill nothing but the stores decides.
#ifndef FILL
#define FILL(Array)                                                            \
  for (int j = 0; j < 2; ++j)                                                  \
    Array[j * T + threadIdx.x] = 0.25f;                                        \
  __syncthreads();
#endif

// The arms store different places.
BEGIN(other_places) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      xs[t] = x[k + t];
    else
      xs[T + t] = 2;
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// They spell the same place, whose index one of them changes.
BEGIN(other_value_of_index) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    int at = t;
    if (k + t < n) {
      xs[at] = x[k + t];
    } else {
      at += T;
      xs[at] = 2;
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The condition changes the index.
BEGIN(index_in_condition) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    int at = t;
    if (k + t < n || (at += T) < 0)
      xs[at] = 2 * x[k + t];
    else
      xs[at] = 2;
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The other arm stores under a condition of its own.
BEGIN(second_condition) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    if (k + t < n) {
      xs[t] = x[k + t];
    } else if (k & T) {
      xs[t] = 2;
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// Fewer places are filled than are copied.
BEGIN(fewer_filled) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    if (t < T / 2)
      xs[t] = 0;
    if (k + t < n && (k & T))
      xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The fill and the copy spell the same place, which moved between them.
BEGIN(fill_moves) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    int at = t;
    xs[at] = 0;
    at += k & T;
    if (k + t < n)
      xs[at] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// It moved as far in every tile; the first tile stores all.
BEGIN(fill_moves_on) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    int at = t;
    xs[at] = 0;
    at += T;
    if (!k || (k / T + t) & 1)
      xs[at] = 2 * x[k + t];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// A jump leaves out the fill.
BEGIN(fill_behind_jump) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      if (k & T)
        break;
      xs[i * T + t] = 0;
      if (k + t < n)
        xs[i * T + t] = x[k + t];
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The fill has a condition as well, and at the end there is neither.
BEGIN(fill_in_other_block) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    if (k & T) {
      xs[t] = 0;
    }
    if (k + t < n && !(k & T))
      xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The index moves under another name.
BEGIN(by_reference) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  FILL(xs)
  for (int k = 0; k < n; k += T) {
    int at = t;
    int &r = at;
    xs[at] = 0;
    r += k & T;
    if (k + t < n)
      xs[at] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The same places.
BEGIN(both_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      xs[t] = x[k + t];
    else
      xs[t] = 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 3 * n + 3 * T);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(other_places) { run(other_places); }
CASE(other_value_of_index) { run(other_value_of_index); }
CASE(index_in_condition) { run(index_in_condition); }
CASE(second_condition) { run(second_condition); }
CASE(fewer_filled) { run(fewer_filled); }
CASE(fill_moves) { run(fill_moves); }
CASE(fill_moves_on) { run(fill_moves_on); }
CASE(fill_behind_jump) { run(fill_behind_jump); }
CASE(fill_in_other_block) { run(fill_in_other_block); }
CASE(by_reference) { run(by_reference); }
CASE(both_legal) { run(both_legal); }
#endif
