// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block's barrier as cooperative groups, a macro, an inline function and
// inline asm spell it.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s

#include <cooperative_groups.h>

namespace cg = cooperative_groups;
constexpr int T = 64;
#define SYNC() __syncthreads()

__device__ __forceinline__ void block_barrier() { __syncthreads(); }

__global__ void __launch_bounds__(T)
barrier_cooperative(const float *x, float *y, int n) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    block.sync();
    for (int j = 0; j < T; ++j)
      sum += xs[j ^ threadIdx.x] * float(j + 1);
    cg::sync(block);
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
barrier_macro(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    SYNC();
    for (int j = 0; j < T; ++j)
      sum += xs[j ^ threadIdx.x] * float(j + 1);
    SYNC();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
barrier_function(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    block_barrier();
    for (int j = 0; j < T; ++j)
      sum += xs[j ^ threadIdx.x] * float(j + 1);
    block_barrier();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
barrier_asm(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    asm volatile("bar.sync 0;" ::: "memory");
    for (int j = 0; j < T; ++j)
      sum += xs[j ^ threadIdx.x] * float(j + 1);
    asm volatile("bar.sync 0;" ::: "memory");
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(barrier_cooperative) { run(barrier_cooperative); }
CASE(barrier_macro) { run(barrier_macro); }
CASE(barrier_function) { run(barrier_function); }
CASE(barrier_asm) { run(barrier_asm); }
#endif
