// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What running the threads of a block side by side finds by itself, with the rule
// uniform-barrier switched off: a barrier that some of them leave out, or pass in
// place of the loop's. Beside each stand twins in which all threads agree.
// RUN: env KPIPE_RULES_OFF=uniform-barrier %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not=warning:

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (j ^ t);

BEGIN(by_thread) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    SUM
    if (t < 16)
      __syncthreads();
    // CHECK: uneven_barriers.cu:[[@LINE-1]]:7: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-memory-order]
    // CHECK: uneven_barriers.cu:[[@LINE-2]]:7: note: put the barrier outside of the condition, where every thread of the block reaches it
  }
  y[t] = sum;
}
BEGIN(by_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: uneven_barriers.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    xs[t] = x[i + t];
    __syncthreads();
    SUM
    if (i + T < n)
      __syncthreads();
  }
  y[t] = sum;
}
// A loop in the body, by a variable that is set before it.
BEGIN(by_turns) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    SUM __syncthreads();
    int turns = 1;
    if (t == T - 1)
      ++turns;
    for (int w = 0; w < turns; ++w)
      __syncthreads();
    // CHECK: uneven_barriers.cu:[[@LINE-1]]:7: warning: not pipelined: the barrier is under a condition
    // CHECK: note:
  }
  y[t] = sum;
}
// What nobody knows is not found.
BEGIN(by_memory) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: uneven_barriers.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    xs[t] = x[i + t];
    __syncthreads();
    SUM __syncthreads();
    if (t < 16 || x[0] < 1)
      __syncthreads();
  }
  y[t] = sum;
}

// In a function, by what the call gives.
__device__ float tiles(const float *__restrict__ x, int n, float (&xs)[T],
                       int t, int last) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    if (t < last)
      __syncthreads();
    // CHECK: uneven_barriers.cu:[[@LINE-1]]:7: warning: not pipelined: the barrier is under a condition
    // CHECK: note:
  }
  return sum;
}
BEGIN(by_argument) {
  __shared__ float xs[T];
  const int lane = threadIdx.x % 32;
  y[threadIdx.x] = tiles(x, n, xs, lane, 16);
}

// Other threads pass other barriers: in the other branch, and before they leave.
BEGIN(by_branch) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  if (t < 32) {
    for (int i = 0; i < n; i += T) {
      // CHECK: uneven_barriers.cu:[[@LINE-1]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-memory-order]
      xs[t] = x[i + t];
      xs[t + 32] = x[i + t + 32];
      __syncthreads();
      SUM __syncthreads();
    }
  } else {
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      // CHECK: uneven_barriers.cu:[[@LINE-1]]:7: note: a barrier that other threads pass
      __syncthreads();
    }
  }
  y[t] = sum;
}
BEGIN(by_block) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  if (blockIdx.x % 2) {
    for (int i = 0; i < n; i += T) {
      // CHECK: uneven_barriers.cu:[[@LINE-1]]:5: remark: pipelined K-loop: 2 stages of xs
      xs[t] = x[i + t];
      __syncthreads();
      SUM __syncthreads();
    }
  } else {
    __syncthreads();
    sum = 1;
  }
  y[t] = sum;
}
__global__ void __launch_bounds__(2 * T)
by_return(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  if (t >= T) {
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      __syncthreads();
    }
    return;
  }
  for (int i = 0; i < n; i += T) {
    // CHECK: uneven_barriers.cu:[[@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop
    // CHECK: note:
    xs[t] = x[i + t];
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
__global__ void __launch_bounds__(2 * T)
leaves_at_once(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  __syncthreads();
  if (t >= T)
    return;
  for (int i = 0; i < n; i += T) {
    // CHECK: uneven_barriers.cu:[[@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    xs[t] = x[i + t];
    __syncthreads();
    SUM __syncthreads();
  }
  y[t] = sum;
}
