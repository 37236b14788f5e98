// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule carried-scalar: no scalar that the compute region writes is read by the load
// region of the next tile, except inductions.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// Inductions may be stepped anywhere in the body, and read by both regions.
__global__ void inductions(const float *__restrict__ x, float *__restrict__ y,
                           int n, int stride) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: carried-scalar.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    x += stride;
    for (int j = 0; j < T; ++j)
      sum += xs[j] * at;
    at += stride;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Which tile comes next depends on what was computed from this one.
__global__ void linked_list(const int *__restrict__ x, int *__restrict__ y,
                            int n) {
  __shared__ int xs[T];
  int sum = 0, at = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    at = sum % n;
    // CHECK: carried-scalar.cu:[[#@LINE-1]]:5: warning: not pipelined: 'at' is written by the compute region and read by the load region [kpipe-carried-scalar]
    // CHECK: carried-scalar.cu:[[#@LINE-6]]:5: note: it is read here
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The load region also counts for the compute region.
__global__ void counted_by_load(const float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int count = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T; j += 32) {
      // CHECK: carried-scalar.cu:[[#@LINE-1]]:5: warning: not pipelined: 'count' is written by the load region and read by the compute region [kpipe-carried-scalar]
      xs[j] = x[i + j];
      ++count;
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      // CHECK: carried-scalar.cu:[[#@LINE-1]]:5: note: it is read here
      sum += xs[j] * count;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A closure with a state of its own is called by both regions.
__global__ void mutable_closure(const float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  auto next = [at]() mutable { return at += T; };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[next() + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      // CHECK: carried-scalar.cu:[[#@LINE-1]]:5: warning: not pipelined: 'at' is written by the compute region and read by the load region [kpipe-carried-scalar]
      // CHECK: carried-scalar.cu:[[#@LINE-4]]:5: note: it is read here
      sum += xs[j] * next();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The store cannot be traced, and somebody took the address of 'at'.
__global__ void hidden(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  int *places[] = {&at};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[at + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    *places[0] = sum;
    // CHECK: carried-scalar.cu:[[#@LINE-1]]:5: warning: not pipelined: 'at', which the load region reads, may be changed here through a pointer that cannot be traced [kpipe-carried-scalar]
    // CHECK: carried-scalar.cu:[[#@LINE-8]]:20: note: its address is taken here
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
