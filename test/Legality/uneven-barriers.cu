// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule uniform-barrier, closing barriers that not every thread passes: in
// helpers, methods and closures, under conditions in conditions, in operators.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='remark: pipelined'

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j];

__device__ void some(int lane) {
  if (lane < 16)
    __syncthreads();
}
BEGIN(in_helper) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    some(threadIdx.x);
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

__device__ void most(int lane) {
  if (lane < 16)
    return;
  __syncthreads();
}
BEGIN(after_return) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    most(threadIdx.x);
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

__device__ void own(int lane = threadIdx.x) {
  if (lane < 16)
    __syncthreads();
}
BEGIN(by_default) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    own();
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

__device__ void asked(bool low) {
  if (low)
    __syncthreads();
}
BEGIN(by_answer) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    asked(threadIdx.x < 16);
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

struct Gate {
  int lane;
  __device__ void pass() {
    if (lane < 16)
      __syncthreads();
  }
};
BEGIN(in_method) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    Gate{int(threadIdx.x)}.pass();
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

BEGIN(in_condition) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    if (n > 0) {
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
      if (threadIdx.x < 16)
        __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_and) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    threadIdx.x < 16 && (__syncthreads(), true);
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:26: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_question) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    threadIdx.x < 16 ? __syncthreads() : (void)0;
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:24: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

BEGIN(in_loop) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    int w = 0;
    do {
      __syncthreads();
      // CHECK: uneven-barriers.cu:[[#@LINE-1]]:7: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
    } while (w++ < threadIdx.x / 32);
  }
  y[threadIdx.x] = sum;
}

BEGIN(in_closure) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    auto gate = [&] {
      if (threadIdx.x < 16)
        __syncthreads();
    };
    gate();
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
  }
  y[threadIdx.x] = sum;
}

BEGIN(by_switch) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    SUM
    int low = 0;
    switch (n > 0) {
    default:
      if (threadIdx.x < 16)
        break;
      low = 1;
    }
    if (low)
    // CHECK: uneven-barriers.cu:[[#@LINE-1]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// All threads agree.
__device__ void last(bool more) {
  if (more)
    __syncthreads();
}
BEGIN(of_all) {
  __shared__ float ys[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
  // CHECK: uneven-barriers.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of ys, registers [kpipe-pipelined]
    ys[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += ys[j];
    last(i + T < n);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
