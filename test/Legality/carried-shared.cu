// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule carried-shared: a staged array is rewritten by the load in every iteration,
// values never survive from the tile before.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// A guard that is the same in every iteration leaves the same elements alone: a
// ring of stages is exact.
__global__ void same_guard(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: carried-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    if (threadIdx.x < T / 2)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T / 2; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A guard that differs keeps values of the tile before: only a single buffer
// that is filled from registers does the same.
__global__ void varying_guard(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: carried-shared.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of xs, {{.*}} [kpipe-pipelined]
    // CHECK: carried-shared.cu:[[#@LINE-2]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (i + threadIdx.x < n)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The tile is changed in place.
__global__ void in_place(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  xs[threadIdx.x] = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] += x[i + threadIdx.x];
    // CHECK: carried-shared.cu:[[#@LINE-1]]:5: warning: not pipelined: the load region changes shared memory in place instead of filling it [kpipe-carried-shared]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two parameters may point to one array.
__device__ float two_names(float *xs, float *scratch, const float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] * scratch[threadIdx.x];
    // CHECK: carried-shared.cu:[[#@LINE-1]]:44: warning: not pipelined: the load region reads 'scratch', which the loop writes [kpipe-carried-shared]
    // CHECK: carried-shared.cu:[[#@LINE-2]]:5: note: it is written here
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  return sum;
}

// Where to load from is written by the compute region.
__global__ void index_table(const float *__restrict__ x,
                            float *__restrict__ y, int n) {
  __shared__ float xs[T];
  __shared__ int at[T];
  float sum = 0;
  at[threadIdx.x] = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + at[threadIdx.x]];
    // CHECK: carried-shared.cu:[[#@LINE-1]]:29: warning: not pipelined: the load region reads 'at', which the loop writes [kpipe-carried-shared]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    at[threadIdx.x] = T - 1 - at[threadIdx.x];
    // CHECK: carried-shared.cu:[[#@LINE-1]]:5: note: it is written here
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void caller(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float tile[T];
  tile[threadIdx.x] = 1;
  y[threadIdx.x] = two_names(tile, tile, x, n);
}
