// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds that threads load from one place and that are not the same for all: some
// threads of the block wait for one another where others have loaded already, a store
// stands between, and nothing races. Who has the larger bound reads what an older tile
// left, which one buffer keeps and a ring does not.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=. --at-least=3 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

constexpr int T = 32;

// The upper half of a warp stores behind the load of the lower one.
// CHECK: pipelined K-loop: single buffer of xs
__global__ void __launch_bounds__(32)
    halves(const float *__restrict__ x, float *__restrict__ y, int n, int *bound) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  if (i >= 16) {
    __syncwarp();
    if (i == 16)
      bound[0] = 50;
    __syncwarp(0xffff0000u);
  }
  const int e = bound[0];
  if (i < 16)
    __syncwarp();
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    if (t + i < e)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < e; ++j)
      sum = sum * .5f + xs[j];
    __syncthreads();
  }
  y[i] = sum;
}

// Two warps, with a barrier of their own.
// CHECK: pipelined K-loop: single buffer of xs
__global__ void __launch_bounds__(64)
    warps(const float *__restrict__ x, float *__restrict__ y, int n, int *bound) {
  __shared__ float xs[64];
  const int i = threadIdx.x;
  if (i >= 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (i == 32)
      bound[0] = 50;
    __syncwarp();
  }
  const int e = bound[0];
  if (i < 32)
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    if (t + i < e)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < e; ++j)
      sum = sum * .5f + xs[j];
    __syncthreads();
  }
  y[i] = sum;
}

// The bound is in shared memory.
// CHECK: pipelined K-loop: single buffer of xs
__global__ void __launch_bounds__(64)
    in_shared(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  __shared__ int bound;
  const int i = threadIdx.x;
  if (i == 0)
    bound = 32;
  __syncthreads();
  if (i >= 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (i == 32)
      bound = 50;
    __syncwarp();
  }
  const int e = bound;
  if (i < 32)
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    if (t + i < e)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < e; ++j)
      sum = sum * .5f + xs[j];
    __syncthreads();
  }
  y[i] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"

template <typename Kernel> void run(Kernel kernel, int threads) {
  for (int n : {32, 64, 96, 128}) {
    auto x = in<float>("x", n + T), y = out<float>("y", 64);
    auto bound = in<int>("bound", 4, [](size_t) { return 32; });
    launch({1, threads}, kernel, x, y, n, bound);
  }
}

CASE(halves) { run(halves, 32); }
CASE(warps) { run(warps, 64); }
CASE(in_shared) {
  for (int n : {32, 64, 96, 128}) {
    auto x = in<float>("x", n + T), y = out<float>("y", 64);
    launch({1, 64}, in_shared, x, y, n);
  }
}
#endif
