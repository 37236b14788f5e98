// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that do not parse are not in the tree, and may change what a launch is
// given: the threads of a block are not known then.
// RUN: %kpipe rewrite --dry-run --arch=sm_75 %s 2>&1 | FileCheck %s --implicit-check-not="pipelined K-loop"

namespace lib {}

__global__ void dispatched(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim, which is not constant here
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_dispatched(const float *x, float *y, int n) {
  int t = 64;
  DISPATCH(x.kind(), [&] { t = sizeof(scalar_t) * 8; });
  dispatched<<<1, t>>>(x, y, n);
}

__global__ void asked(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim, which is not constant here
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_asked(const float *x, float *y, int n) {
  int t = 64;
  while (lib::more(n, t))
    ;
  asked<<<1, t>>>(x, y, n);
}

__global__ void set(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim, which is not constant here
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_set(const float *x, float *y, int n) {
  dim3 t(64);
  lib::set(t);
  set<<<1, t>>>(x, y, n);
}

__global__ void guarded(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim, which is not constant here
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_guarded(const float *x, float *y, int n) {
  int t = 64;
  lib::Guard<int> guard(t);
  guarded<<<1, t>>>(x, y, n);
}

__global__ void ranged(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim, which is not constant here
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_ranged(const float *x, float *y, int n) {
  int t = 64;
  for (lib::It i : lib::sizes(n))
    t /= 2;
  ranged<<<1, t>>>(x, y, n);
}

__global__ void constant(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[256];
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    // CHECK: [[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of tile, registers
    for (int j = threadIdx.x; j < 256; j += blockDim.x)
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_constant(const float *x, float *y, int n) {
  const int t = 64;
  lib::set(n);
  constant<<<1, t>>>(x, y, n);
}
