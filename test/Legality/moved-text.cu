// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule moved-text: the text of load and compute means the same in a lambda.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s -- -std=c++17 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:

constexpr int T = 64;
struct Pair {
  int a, b;
};

__global__ void function_name(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * __func__[j % 4];
      // CHECK: moved-text.cu:[[#@LINE-1]]:22: warning: not pipelined: the function name used here would change in a lambda [kpipe-moved-text]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Before the loop it is the function's.
__global__ void name_before(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  const char *name = __func__;
  for (int i = 0; i < n; i += T) {
    // CHECK: moved-text.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * name[j % 4];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void line_number(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * __LINE__;
      // CHECK: moved-text.cu:[[#@LINE-1]]:22: warning: not pipelined: '__LINE__' would change once the text has moved [kpipe-moved-text]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A default is evaluated where it is used, and a helper's text is copied.
__device__ int lineOf(int line = __builtin_LINE()) { return line; }
__global__ void line_of_default(const float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * lineOf();
      // CHECK: moved-text.cu:[[#@LINE-1]]:22: warning: not pipelined: the source location used here would change once the text has moved [kpipe-moved-text]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ void fillLine(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x] * __LINE__;
  // CHECK: moved-text.cu:[[#@LINE-1]]:41: warning: not pipelined: '__LINE__' would change once the text has moved [kpipe-moved-text]
}
__global__ void line_of_helper(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    fillLine(xs, x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void binding(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto [off, inc] = Pair{0, T};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * inc;
      // CHECK: moved-text.cu:[[#@LINE-1]]:22: warning: not pipelined: the structured binding 'inc' cannot be captured before C++20 [kpipe-moved-text]
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}

// A binding of the body is made by each region that uses it.
__global__ void binding_inside(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: moved-text.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: {{.*}} [kpipe-pipelined]
    auto [off, inc] = Pair{i, T};
    xs[threadIdx.x] = x[off + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * inc;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The array's type is made of a constant that another one of the loop's own
// would hide.
__global__ void hidden(const float *__restrict__ x, float *__restrict__ y,
                       int n, int W) {
  float sum = 0;
  for (int i = 0; i < n + W; i += T) {
    constexpr int W = T;
    // CHECK: moved-text.cu:[[#@LINE-1]]:5: warning: not pipelined: 'W' moves before the loop, where it would hide another declaration that the loop uses [kpipe-moved-text]
    __shared__ float xs[W];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
