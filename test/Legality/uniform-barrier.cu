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

// The same where the threads divide in a caller of the loop's function.
__device__ float tiles(const float *__restrict__ x, int n, float (&xs)[T],
                       int lane) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    xs[lane] = x[i + lane];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  return sum;
}
__device__ void wait_twice(int n) {
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    __syncthreads();
  }
}
__global__ void in_a_caller(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  if (threadIdx.x < 64)
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: note: the threads diverge here
    y[threadIdx.x] = tiles(x, n, xs, threadIdx.x);
  else
    wait_twice(n);
  // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: note: a barrier that other threads pass
}

// By a return, by a switch, and by a logical operator.
__global__ void by_return(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (threadIdx.x >= T) {
    for (int i = 0; i < n; i += T) {
      __syncthreads();
      __syncthreads();
    }
    return;
  }
  for (int i = 0; i < n; i += T) {
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    // CHECK: uniform-barrier.cu:[[#@LINE-4]]:5: note: the threads diverge here
    // CHECK: uniform-barrier.cu:[[#@LINE-8]]:7: note: a barrier that other threads pass
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void by_switch(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  switch (threadIdx.x / T) {
    // CHECK: uniform-barrier.cu:[[#@LINE+2]]:5: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  case 0:
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
    break;
  default:
    // CHECK: uniform-barrier.cu:[[#@LINE-12]]:3: note: the threads diverge here
    wait_twice(n);
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: note: a barrier that other threads pass
  }
  y[threadIdx.x] = sum;
}
__device__ bool waits(int n) {
  wait_twice(n);
  return true;
}
__global__ void by_operator(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  const bool other = threadIdx.x >= T && waits(n);
  if (other)
    return;
  for (int i = 0; i < n; i += T) {
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
    // CHECK: uniform-barrier.cu:[[#@LINE-3]]:5: note: the threads diverge here
    // CHECK: uniform-barrier.cu:[[#@LINE-6]]:42: note: a barrier that other threads pass
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void by_goto(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (threadIdx.x >= T)
    goto others;
    // CHECK: uniform-barrier.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int i = 0; i < n; i += T) {
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: note: the threads diverge here
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
  return;
others:
  wait_twice(n);
  // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: note: a barrier that other threads pass
}

// What a condition reads differs among the threads in many ways.
#define LEFT_OUT(name, before, condition)                                      \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y,     \
                       int n) {                                                \
    __shared__ float xs[T];                                                    \
    float sum = 0;                                                             \
    before;                                                                    \
    for (int i = 0; i < n; i += T) {                                           \
      xs[threadIdx.x] = x[i + threadIdx.x];                                    \
      __syncthreads();                                                         \
      for (int j = 0; j < T; ++j)                                              \
        sum += xs[j];                                                          \
      if (condition)                                                           \
        __syncthreads();                                                       \
    }                                                                          \
    y[threadIdx.x] = sum;                                                      \
  }
__device__ void set(int &to) { to = threadIdx.x; }
struct Place {
  int row, column;
};
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_control, bool low = false; if (threadIdx.x < 16) low = true, low)
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_trips, int low = 0; for (int q = threadIdx.x; q < 16; ++q) ++low, low)
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_reference, int lane; set(lane), lane < 16)
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_pointer, int lane = 0; int *p = &lane; *p = threadIdx.x, lane < 16)
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_member, Place at{}; at.row = threadIdx.x, at.row < 16)
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_break, int low = 0; for (int q = 0; q < 64; ++q) { if (q == threadIdx.x) break; ++low; }, low < 16)
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_closure, int low = 0; auto f = [&] { ++low; }; if (threadIdx.x < 16) f(), low)
// CHECK: uniform-barrier.cu:[[#@LINE+2]]:1: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
// CHECK: uniform-barrier.cu:[[#@LINE+1]]:1: note: put the barrier outside of the condition, where every thread of the block reaches it
LEFT_OUT(by_assembly, int lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)), lane < 16)
__global__ void by_block(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  int last = n - T;
  Place at{};
  at.row = blockIdx.x;
  ++at.row;
  for (int i = 0; i < n; i += T) {
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (at.row > 0 || i < last)
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Parameters are what the calls give.
__device__ float with_last(const float *__restrict__ x, int n, float (&xs)[T],
                           int lane) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: uniform-barrier.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: {{.*}} [kpipe-pipelined]
    xs[lane] = x[i + lane];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (i + T < n)
      __syncthreads();
  }
  return sum;
}
__device__ float with_lane(const float *__restrict__ x, int n, float (&xs)[T],
                           int lane) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[lane] = x[i + lane];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if (lane < 16)
      // CHECK: uniform-barrier.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
      // CHECK: uniform-barrier.cu:[[#@LINE-2]]:5: note: put the barrier outside of the condition, where every thread of the block reaches it
      __syncthreads();
  }
  return sum;
}
__global__ void from_calls(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T], zs[T];
  y[threadIdx.x] = with_last(x, n, xs, threadIdx.x);
  __syncthreads();
  y[threadIdx.x] += with_lane(x, n, zs, threadIdx.x);
}
