// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule other-shared: accesses to other shared arrays in different iterations stay
// separated by a barrier.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// The second barrier also separates the write and the read of 'partial': it
// stays.
__global__ void barrier_kept(const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[T];
  __shared__ float partial[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: other-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = 0;
    for (int j = 0; j < T; ++j)
      s += xs[j];
    partial[threadIdx.x] = s;
    __syncthreads();
    sum += partial[T - 1 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}

// What another thread left in 'partial' is read before the barrier that stands
// between it and the next write.
__global__ void read_before(const float *__restrict__ x,
                            float *__restrict__ y, int n) {
  __shared__ float xs[T];
  __shared__ float partial[T];
  float sum = 0;
  partial[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    float before = partial[T - 1 - threadIdx.x];
    // CHECK: other-shared.cu:[[#@LINE-1]]:20: warning: not pipelined: the load region reads 'partial', which the loop writes [kpipe-carried-shared]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    partial[threadIdx.x] = sum * before;
    // CHECK: other-shared.cu:[[#@LINE-1]]:5: note: it is written here
    // CHECK: other-shared.cu:[[#@LINE-8]]:20: warning: not pipelined: the compute region reads 'partial' before the barrier, and the loop writes it [kpipe-other-shared]
    // CHECK: other-shared.cu:[[#@LINE-3]]:5: note: it is written here
    // CHECK: other-shared.cu:[[#@LINE-10]]:20: note: read it after the barrier, next to its use
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same with the tile of the iteration before.
__global__ void last_tile(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  xs[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    float before = xs[threadIdx.x];
    // CHECK: other-shared.cu:[[#@LINE-1]]:20: warning: not pipelined: the load region reads 'xs', which the loop writes [kpipe-carried-shared]
    xs[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: other-shared.cu:[[#@LINE-1]]:5: note: it is written here
    // CHECK: other-shared.cu:[[#@LINE-4]]:20: warning: not pipelined: the compute region reads 'xs' before the barrier, and the loop writes it [kpipe-other-shared]
    // CHECK: other-shared.cu:[[#@LINE-3]]:5: note: it is written here
    // CHECK: other-shared.cu:[[#@LINE-6]]:20: note: read it after the barrier, next to its use
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] - before;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
