// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule uniform-barrier: the new barriers are reached by exactly the threads
// that reached the old ones, and pair with the same barriers.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// A condition that is the same for the whole block; blocks that leave early.
__global__ void uniform(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (blockIdx.x * T >= n)
    return;
  if (blockIdx.x % 2) {
    for (int i = 0; i < n; i += T) {
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
  }
  y[threadIdx.x] = sum;
}

// Whether the barrier is met depends on the iteration.
__global__ void under_condition(const float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i + T < n) {
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
      // CHECK: uniform-barrier.cu:[[#@LINE-2]]:5: note: put the barrier outside of the condition, where every thread of the block reaches it
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
    }
  }
  y[threadIdx.x] = sum;
}

// Two halves of the block pass each other's barriers, pair by pair.
__global__ void two_roles(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  bool loader = threadIdx.x < 32;
  if (loader) {
    for (int i = 0; i < n; i += T) {
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      // CHECK: uniform-barrier.cu:[[#@LINE-3]]:3: note: the threads diverge here
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  } else {
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:7: note: a barrier that other threads pass
      sum += xs[threadIdx.x - 32];
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}

// The same with two conditions.
__global__ void two_conditions(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int warp = threadIdx.x / 32;
  if (warp == 0)
    for (int i = 0; i < n; i += T) {
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
      // CHECK: uniform-barrier.cu:[[#@LINE-3]]:3: note: the threads diverge here
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
  if (warp == 1)
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:7: note: a barrier that other threads pass
      sum += xs[threadIdx.x - 32];
      __syncthreads();
    }
  y[threadIdx.x] = sum;
}

// Barriers that the author leaves out in some turns.
__global__ void left_out_by_some_threads(const float *__restrict__ x,
                                         float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (t < 16)
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
      // CHECK: uniform-barrier.cu:[[#@LINE-2]]:5: note: put the barrier outside of the condition, where every thread of the block reaches it
      __syncthreads();
  }
  y[t] = sum;
}
__global__ void not_before_the_first(const float *__restrict__ x,
                                     float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    if (i > 0)
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
      // CHECK: uniform-barrier.cu:[[#@LINE-2]]:5: note: put the barrier outside of the condition, where every thread of the block reaches it
      __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
