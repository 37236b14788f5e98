// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Endless loops that end in front of their last barrier, in which some threads
// may leave alone, or which do something else there. The legal ones are in
// Kernels/breaks_before_barriers.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="kpipe-pipelined"

constexpr int T = 32;

// Each thread has an end of its own.
__global__ void apart(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  int i = 0;
  const int t = threadIdx.x, end = n - t;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined
  for (;;) {
    s[t] = i + t < n ? x[i + t] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += s[k];
    i += T;
    if (i >= end) break;
    __syncthreads();
  }
  y[t] = sum;
}

// Behind the barrier there is more.
__global__ void more(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  int i = 0;
  const int t = threadIdx.x;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined
  for (;;) {
    s[t] = i + t < n ? x[i + t] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += s[k];
    i += T;
    if (i >= n) break;
    __syncthreads();
    sum += 1;
  }
  y[t] = sum;
}

// The loop ends where the tile does.
__device__ void waits(const float *__restrict__ x, float *__restrict__ y, int n, int end) {
  __shared__ float s[T];
  float sum = 0;
  int i = 0;
  const int t = threadIdx.x;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined
  for (;;) {
    s[t] = i + t < n ? x[i + t] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += s[k];
    i += T;
    if (i >= end) break;
    __syncthreads();
  }
  y[t] = sum;
}
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int n) {
  waits(x, y, n, n - threadIdx.x);
}
