// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A helper that stores is called in a loop. What its call keeps in registers is
// one turn's, so all turns would store what the last one fetched.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal %s
//
// Without the rule, the check of the result finds it.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   --variant=ldg --kernel=turns %s 2>&1 | FileCheck %s
// CHECK: note: the copy has more turns than registers
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=ldg --kernel=turns %s \
// RUN:   2>&1 | FileCheck %s --check-prefix=RULE
// RULE: 'put' is called in a loop, and its registers would hold only what the last turn loaded

constexpr int T = 64;

__device__ void put(float (&to)[2 * T], const float *from, int turn) {
  to[turn * T + threadIdx.x] = from[turn * T + threadIdx.x] * 2;
}
__device__ void copy(float (&to)[2 * T], const float *from, int turn) {
  to[turn * T + threadIdx.x] = from[turn * T + threadIdx.x];
}
__device__ void rows(float (&to)[2 * T], const float *from, int turn) {
  for (int half = 0; half < 2; ++half)
    if (threadIdx.x < T / 2)
      to[turn * T + half * (T / 2) + threadIdx.x] =
          from[turn * T + half * (T / 2) + threadIdx.x] * 2;
}

__global__ void __launch_bounds__(T)
turns(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      put(xs, x + i, k);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
turns_of_both(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      rows(xs, x + i, k);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
turns_under_a_condition(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      if (k < n)
        put(xs, x + i, k);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
turns_of_two_loops(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l)
        if (k == l)
          put(xs, x + i, l);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// No registers; a call for each turn; the helper's own loop.
__global__ void __launch_bounds__(T)
plain_copies_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int k = 0; k < 2; ++k)
      copy(xs, x + i, k);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
one_by_one_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    put(xs, x + i, 0);
    put(xs, x + i, 1);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
loop_of_the_helper_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    rows(xs, x + i, 0);
    rows(xs, x + i, 1);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(turns)
TILES(turns_of_both)
TILES(turns_under_a_condition)
TILES(turns_of_two_loops)
TILES(plain_copies_legal)
TILES(one_by_one_legal)
TILES(loop_of_the_helper_legal)
#endif
