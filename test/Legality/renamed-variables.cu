// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule carried-scalar: what has another value in the tile that is loaded ahead
// is not reached by another name.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;
__device__ int first(const int &of) { return of & ~(T - 1); }
__device__ const int *keep(const int &of) { return &of; }

__global__ void closure(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  auto at = [&](int j) { return x[i + j]; };
  for (i = 0; i < n; i += T) {
    // CHECK: renamed-variables.cu:[[#@LINE-1]]:22: warning: not pipelined: 'i' has a separate value in the tile that is loaded ahead, but can be reached by another name [kpipe-carried-scalar]
    // CHECK: renamed-variables.cu:[[#@LINE-3]]:35: note: a lambda captures it by reference here
    xs[threadIdx.x] = at(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void reference(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  const int &at = i;
  for (i = 0; i < n; i += T) {
    // CHECK: renamed-variables.cu:[[#@LINE-1]]:22: warning: not pipelined: 'i' has a separate value in the tile that is loaded ahead, but can be reached by another name [kpipe-carried-scalar]
    // CHECK: renamed-variables.cu:[[#@LINE-3]]:19: note: a reference is bound to it here
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void pointer(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  const int *at = &off;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[*at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * off;
    off += T;
    // CHECK: renamed-variables.cu:[[#@LINE-1]]:5: warning: not pipelined: load and compute each advance their own copy of 'off', but it can be reached by another name [kpipe-carried-scalar]
    // CHECK: renamed-variables.cu:[[#@LINE-8]]:20: note: its address is taken here
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void kept(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i = 0;
  const int *at = keep(i);
  for (; i < n; i += T) {
    // CHECK: renamed-variables.cu:[[#@LINE-1]]:17: warning: not pipelined: 'i' has a separate value in the tile that is loaded ahead, but can be reached by another name [kpipe-carried-scalar]
    // CHECK: renamed-variables.cu:[[#@LINE-3]]:24: note: it is passed by reference or address here
    xs[threadIdx.x] = x[*at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void fickle(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (volatile int i = 0; i < n; i += T) {
    // CHECK: renamed-variables.cu:[[#@LINE-1]]:35: warning: not pipelined: 'i' counts the tiles but is volatile [kpipe-control-flow]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A copy is no other name, and neither is a function that only reads it.
__global__ void plain(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i = 0;
  auto start = [i](int j) { return i + j; };
  for (; i < n; i += T) {
    // CHECK: renamed-variables.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[first(i) + start(threadIdx.x)];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
