// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `std::min` and its kin give a reference to what they are given: values of the
// call are nobody's, but elements are where they are.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

#include <algorithm>
#include <cuda_runtime.h>

constexpr int T = 128;

// The tile is read through a reference behind the last barrier.
__global__ void behind_barrier(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no barrier keeps the next tile's load from overwriting
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j];
    __syncthreads();
    sum += std::max(s[t ^ 1], s[t ^ 2]);
  }
  y[t] = sum;
}

// What the load asks for is stored by the compute.
__global__ void stored_between(const float *__restrict__ x, float *y, int *counts, int n) {
  __shared__ float s[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    // CHECK: [[#@LINE+5]]:5: warning: not pipelined: the loop stores to 'counts' and also loads from it [kpipe-may-alias]
    s[t] = x[k + std::min(counts[t], T - 1)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j];
    counts[t ^ 1] += 1;
    __syncthreads();
  }
  y[t] = sum;
}

// One of two elements is stored, by the reference that a function gives.
__device__ float &either(float &a, float &b, bool first) { return first ? a : b; }

__global__ void stored_by_reference(const float *x, float *y, int n) {
  __shared__ float s[T];
  const int t = threadIdx.x;
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < T; ++j)
      sum += s[j];
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: the loop stores to 'y', which may alias 'x'
    either(y[t], y[t + T], k == 0) = sum;
    __syncthreads();
  }
}

void run(const float *x, float *y, int *counts, int n) {
  behind_barrier<<<1, T>>>(x, y, n);
  stored_between<<<1, T>>>(x, y, counts, n);
  stored_by_reference<<<1, T>>>(x, y, n);
}
