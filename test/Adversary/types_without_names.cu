// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of types without a name, of the function of a tile loop: Clang
// calls them after their place, which the rewrite moves. All are legal.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=9 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='not pipelined'
// CHECK-COUNT-9: pipelined K-loop

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * ((j ^ threadIdx.x) & 7);

BEGIN(in_compute_legal) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    SUM union {
      float f;
      int i;
    } c;
    c.f = sum;
    sum += c.i & 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(in_load_legal) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    union {
      float f;
      int i;
    } c;
    c.f = x[k + threadIdx.x];
    xs[threadIdx.x] = c.f;
    __syncthreads();
    SUM __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(before_legal) {
  __shared__ float xs[T];
  float sum = 0;
  union {
    float f;
    int i;
  } c;
  struct {
    float f;
    int i : 3;
  } d[2] = {{1, 1}, {2, 2}};
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    SUM c.f = sum;
    sum += (c.i & 1) + d[k & 1].f + sizeof(d);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(behind_legal) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    SUM __syncthreads();
  }
  union {
    float f;
    int i;
  } c;
  c.f = sum;
  y[threadIdx.x] = sum + (c.i & 1);
}
BEGIN(in_closure_legal) {
  __shared__ float xs[T];
  float sum = 0;
  auto low = [](float a) {
    union {
      float f;
      int i;
    } c;
    c.f = a;
    return c.i & 1;
  };
  decltype(low) again = low;
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    SUM sum += low(sum) + again(sum + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(pointed_to_legal) {
  __shared__ float xs[T];
  float sum = 0;
  struct {
    float w;
    struct {
      float v;
    } in;
  } c = {1, {2}};
  auto *p = &c;
  auto &r = c.in;
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    SUM sum += p->w + r.v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(enumerated_legal) {
  __shared__ float xs[T];
  float sum = 0;
  enum { One = 1, Two } e = Two;
  for (int k = 0; k < n; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    SUM sum += e + One;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(shared_legal) {
  __shared__ struct {
    float xs[T];
    float pad[2];
  } s;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s.xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s.xs[j] * ((j ^ threadIdx.x) & 7);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(shared_for_something_else_legal) {
  __shared__ union {
    float xs[T];
    int all[T];
  } s;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    s.xs[threadIdx.x] = x[k + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s.xs[j] * ((j ^ threadIdx.x) & 7);
    __syncthreads();
  }
  s.all[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = sum + s.all[threadIdx.x ^ 1];
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(in_compute_legal)
TILES(in_load_legal)
TILES(before_legal)
TILES(behind_legal)
TILES(in_closure_legal)
TILES(pointed_to_legal)
TILES(enumerated_legal)
TILES(shared_legal)
TILES(shared_for_something_else_legal)
#endif
