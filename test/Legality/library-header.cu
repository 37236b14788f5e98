// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the compiler's and the toolkit's headers are believed by name. A library
// that is found with -isystem is not the toolkit.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s -- -isystem %S/Inputs/library 2>&1 \
// RUN:   | FileCheck %s

#include "lib.h"
constexpr int T = 64;

__global__ void library(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int at = position();
    xs[threadIdx.x] = x[at * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    advance();
    // CHECK: library-header.cu:[[#@LINE-1]]:5: warning: not pipelined: 'advance', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: library-header.cu:[[#@LINE-7]]:14: warning: not pipelined: the load region calls 'position', which kpipe cannot analyze [kpipe-load-effects]
    // CHECK: library-header.cu:[[#@LINE-3]]:5: warning: not pipelined: 'advance', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void library_in_compute(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum = atomicScale(sum);
    // CHECK: library-header.cu:[[#@LINE-1]]:11: warning: not pipelined: 'atomicScale', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: library-header.cu:[[#@LINE-2]]:11: warning: not pipelined: 'atomicScale', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void toolkit(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: library-header.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = fmaxf(x[i + threadIdx.x], 0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum = sqrtf(sum) + __expf(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

