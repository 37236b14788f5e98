// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of nested loops with barriers the innermost is looked at, and of the loops
// around it nothing is said, whether or not they have barriers of their own.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=remark:

constexpr int T = 64;

__global__ void with_barriers(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[T], ws[T];
  float sum = 0;
  for (int o = 0; o < m; ++o) {
    ws[threadIdx.x] = x[o * n + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < n; i += T) {
      // CHECK: nested-loops.cu:[[#@LINE-1]]:5: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * ws[j];
      __syncthreads();
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A loop whose barriers all stand in a loop that stages nothing is a candidate.
__global__ void without_barriers(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[T];
  float sum = 0;
  for (int o = 0; o < m; ++o)
    for (int i = 0; i < n; i += T) {
      // CHECK: nested-loops.cu:[[#@LINE-1]]:5: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      for (int j = 0; j < 2; ++j)
        __syncthreads();
      sum += xs[threadIdx.x];
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}
