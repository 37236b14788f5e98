// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of which the check of the order refuses the first plan, and lets another
// one pass: one buffer instead of stages, registers instead of cp.async. A note
// says so.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --stages=3 %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DEEP
// DEEP: because with 3 stages, line
// RUN: env KPIPE_RULES_OFF=next-plans %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 %s 2>&1 | FileCheck %s --check-prefix=FIRST
// FIRST: not pipelined: {{.*}}[kpipe-memory-order]

constexpr int T = 64;

// It runs no turn in its second call, and reads what the first one left.
__device__ float tiles_and_last(const float *__restrict__ x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs, registers
  // CHECK: note: single buffer, because with 2 stages, line [[#@LINE+8]] would be wrong: 'xs' is used after the loop, which may be entered again
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  return sum + xs[threadIdx.x ^ 1];
}
__global__ void __launch_bounds__(T)
called_with_zero(const float *__restrict__ x, float *__restrict__ y, int n) {
  if (n == 0) {
    y[threadIdx.x] = 0;
    return;
  }
  float a = tiles_and_last(x, n);
  __syncthreads();
  y[threadIdx.x] = a - 3 * tiles_and_last(x, 0);
}

#ifdef KPIPE_HARNESS
#include "../Adversary/adversary.h"
TILES(called_with_zero)
#endif
