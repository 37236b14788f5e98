// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions: which stretch of code between barriers loads, which computes, and
// what becomes of each barrier. A dump names each statement of the body by line
// and column.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__global__ void two_barriers(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop two_barriers
    // CHECK-NEXT: kind for{{$}}
    tile[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: item [[#@LINE-1]]:5 load{{$}}
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, load to compute
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    // CHECK-NEXT: item [[#@LINE-2]]:5 compute
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, replaced
  }
  y[threadIdx.x] = sum;
}

// The barrier that frees the buffer may stand first.
__global__ void rotated(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  int i = 0;
  while (i < n) {
    // CHECK-LABEL: tile-loop rotated
    // CHECK-NEXT: kind while, barrier first{{$}}
    __syncthreads();
    // CHECK: item [[#@LINE-1]]:5 barrier, replaced
    tile[threadIdx.x] = x[i + threadIdx.x];
    // CHECK-NEXT: item [[#@LINE-1]]:5 load{{$}}
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, load to compute
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    // CHECK-NEXT: item [[#@LINE-2]]:5 compute
    i += T;
    // CHECK-NEXT: item [[#@LINE-1]]:5 step
  }
  y[threadIdx.x] = sum;
}

// A barrier between parts of the compute stays. What the kernel does with
// shared memory behind the loop asks for one more barrier there.
__global__ void two_steps(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T], squares[T];
  float sum = 0;
  int i = 0;
  do {
    // CHECK-LABEL: tile-loop two_steps
    // CHECK-NEXT: kind do, barrier after the epilogue
    tile[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: item [[#@LINE-1]]:5 load{{$}}
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, load to compute
    squares[threadIdx.x] = tile[threadIdx.x] * tile[threadIdx.x];
    // CHECK-NEXT: item [[#@LINE-1]]:5 compute
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, compute
    for (int j = 0; j < T; ++j)
      sum += tile[j] * squares[j];
    // CHECK-NEXT: item [[#@LINE-2]]:5 compute
    i += T;
    // CHECK-NEXT: item [[#@LINE-1]]:5 step
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, replaced
  } while (i < n);
  y[threadIdx.x] = sum + squares[0];
}

// Two stretches in a row may load, if neither reads what the other brings.
__global__ void two_loads(const float *__restrict__ x, const float *__restrict__ w,
                          float *y, int n) {
  __shared__ float xs[T], ws[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop two_loads
    xs[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: item [[#@LINE-1]]:5 load{{$}}
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, replaced
    ws[threadIdx.x] = w[i + threadIdx.x];
    // CHECK-NEXT: item [[#@LINE-1]]:5 load{{$}}
    __syncthreads();
    // CHECK-NEXT: item [[#@LINE-1]]:5 barrier, load to compute
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ws[j];
    // CHECK-NEXT: item [[#@LINE-2]]:5 compute
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void no_load(float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // CHECK-LABEL: tile-loop no_load
    // CHECK-NEXT: none
    tile[threadIdx.x] = sum;
    __syncthreads();
    sum += tile[T - 1 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
