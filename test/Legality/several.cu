// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All violated rules of a loop are reported, in the order of the rules, and those
// of one rule in the order of the source.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

#include <cstdio>

constexpr int T = 64;

__global__ void everything(float *x, int *next, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at + threadIdx.x];
    printf("%d\n", i);
    next[i] = at;
    __syncthreads();
    if (xs[0] < 0)
      break;
      // CHECK: several.cu:[[#@LINE-1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      // CHECK: several.cu:[[#@LINE-2]]:7: note: let the loop condition end the loop
    if (xs[1] < 0)
      return;
      // CHECK: several.cu:[[#@LINE-1]]:7: warning: not pipelined: 'return' leaves the loop from its body [kpipe-control-flow]
      // CHECK: several.cu:[[#@LINE-2]]:7: note: return before the loop, or let the loop condition end the loop
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    at = sum;
    // CHECK: several.cu:[[#@LINE-1]]:5: warning: not pipelined: 'at' is written by the compute region and read by the load region [kpipe-carried-scalar]
    // CHECK: several.cu:[[#@LINE-16]]:5: note: it is read here
    // CHECK: several.cu:[[#@LINE-18]]:3: warning: not pipelined: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    // CHECK: several.cu:[[#@LINE-6]]:5: note: the tile is last read here; add a __syncthreads() after it
    // CHECK: several.cu:[[#@LINE-17]]:5: warning: not pipelined: the loop stores to 'next', which may alias 'x' [kpipe-may-alias]
    // CHECK: several.cu:[[#@LINE-20]]:23: note: the load region reads it here
    // CHECK: several.cu:[[#@LINE-19]]:5: note: if they never overlap, declare the pointers __restrict__ or write '// kpipe: assume(no-alias)' above the loop
    x[i] = sum;
    // CHECK: several.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'x' and also loads from it [kpipe-may-alias]
    // CHECK: several.cu:[[#@LINE-24]]:23: note: the load region reads it here
    // CHECK: several.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    // CHECK: several.cu:[[#@LINE-25]]:5: warning: not pipelined: the load region calls 'printf' [kpipe-load-effects]
    // CHECK: several.cu:[[#@LINE-25]]:5: warning: not pipelined: the load region stores to 'next' [kpipe-load-effects]
    __threadfence();
    // CHECK: several.cu:[[#@LINE-1]]:5: warning: not pipelined: '__threadfence' orders memory in the loop [kpipe-sync-order]
  }
}
