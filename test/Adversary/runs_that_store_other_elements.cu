// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile loops that a block runs more than once, and that store fewer elements of
// the tile in one run than in the run before: the compute reads the rest as the
// last tile of that run left it. With two stages, every second tile would find
// the last tile but one.
// REQUIRES: executor
// RUN: %variants --ways=few %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='2 stages of xs'
//
// What is the same in all runs needs no single buffer.
// CHECK: 2 stages of fixed

constexpr int T = 64, Most = 160;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *x, float *y, int n, int tile)
#define SUM                                                                    \
  for (int i = 0; i < tile; ++i)                                               \
    sum += xs[i] * (i ^ t);

KERNEL(by_bound) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int o = 0; o < 2; ++o) {
    const int stored = o ? tile / 2 : tile;
    for (int k = 0; k < n; k += tile) {
      for (int i = t; i < stored; i += T)
        xs[i] = x[k + i] * 2 + o;
      __syncthreads();
      SUM __syncthreads();
    }
  }
  y[t] = sum;
}

KERNEL(by_guard) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  int o = 0;
  do {
    for (int k = 0; k < n; k += tile) {
      for (int i = t; i < tile; i += T)
        if (o == 0 || (i + o) % 3)
          xs[i] = x[k + i];
      __syncthreads();
      SUM __syncthreads();
    }
  } while (++o < 3);
  y[t] = sum;
}

KERNEL(by_place) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  int skip = 0;
  while (skip < 2) {
    for (int k = 0; k < n; k += tile) {
      xs[t] = x[k + t];
      if (tile > T)
        xs[t + T + skip] = x[k + t + T];
      __syncthreads();
      for (int i = 0; i < (tile > T ? 2 * T : T); ++i)
        sum += xs[i] * (i ^ t);
      __syncthreads();
    }
    ++skip;
  }
  y[t] = sum;
}

KERNEL(by_goto) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  int o = 0;
again:
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < (o ? tile / 2 : tile); i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    SUM __syncthreads();
  }
  if (++o < 3)
    goto again;
  y[t] = sum;
}

// By calls, with an array of the function's own and with one that is given.
__device__ float own_array(const float *x, int n, int tile, int stored) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < stored; i += T)
      xs[i] = x[k + i] * 2 + stored;
    __syncthreads();
    SUM __syncthreads();
  }
  return sum;
}
KERNEL(by_two_calls) {
  const float sum = own_array(x, n, tile, tile);
  y[threadIdx.x] = sum + own_array(x, n, tile, tile / 2);
}
__device__ float given_array(const float *x, float (&xs)[Most], int n, int tile,
                             bool all) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T)
      if (all || i & 1)
        xs[i] = x[k + i];
    __syncthreads();
    SUM __syncthreads();
  }
  return sum;
}
KERNEL(by_calls_in_a_loop) {
  __shared__ float xs[Most];
  float sum = 0;
  for (int o = 0; o < 3; ++o)
    sum = sum * 2 + given_array(x, xs, n, tile, o == 0);
  y[threadIdx.x] = sum;
}
struct Runner {
  int stored;
  __device__ float run(const float *x, int n, int tile) {
    __shared__ float xs[Most];
    const int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += tile) {
      for (int i = t; i < stored; i += T)
        xs[i] = x[k + i] * 2;
      __syncthreads();
      SUM __syncthreads();
    }
    return sum;
  }
};
KERNEL(by_member) {
  Runner r{tile};
  float sum = r.run(x, n, tile);
  r.stored = tile / 2;
  y[threadIdx.x] = sum + r.run(x, n, tile);
}

// The condition is the same in all runs.
__global__ void __launch_bounds__(T)
    the_same(const float *x, float *y, int n, int tile) {
  __shared__ float fixed[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int o = 0; o < 3; ++o)
    for (int k = 0; k < n; k += tile) {
      if (t < tile)
        fixed[t] = x[k + t] * 2;
      __syncthreads();
      for (int i = 0; i < min(tile, T); ++i)
        sum += fixed[i] * (i ^ t);
      __syncthreads();
    }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(Name)                                                             \
  CASE(Name) {                                                                 \
    for (int tile : {64, 96, 160}) {                                           \
      auto x = in<float>("x", 6 * tile + 2 * Most), y = out<float>("y", T);    \
      launch({1, T}, Name, x, y, 5 * tile, tile);                              \
    }                                                                          \
  }
EACH(by_bound)
EACH(by_guard)
EACH(by_place)
EACH(by_goto)
EACH(by_two_calls)
EACH(by_calls_in_a_loop)
EACH(by_member)
EACH(the_same)
#endif
