// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in strides of `blockDim`, whose values wait in registers: `--block`, or
// a launch in the file, says how many a thread copies. A launch of other blocks
// is stopped.
// REQUIRES: executor
// RUN: %variants --at-least=6 --option=--block=32,2 %s
// RUN: %kpipe rewrite %s --arch=sm_86 --block=32,2 -o %t.cu
// RUN: %code %t.cu | FileCheck %s

constexpr int T = 64;

// A block of two axes, counted by hand.
__global__ void product(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    for (int i = t; i < 4 * T; i += blockDim.x * blockDim.y)
      xs[i] = 2 * x[k + i];
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^.* }}product(const float *
// CHECK: if (blockDim.x != 32 || blockDim.y != 2)
// CHECK-NEXT: __trap();
// CHECK: float xs_{{reg}}[{{.*}}];

// Its size in a variable, the last part only half as long as a block.
__global__ void variable(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[5 * T / 2];
  const int threads = blockDim.x * blockDim.y;
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 5 * T / 2) {
    for (int i = t; i < 5 * T / 2; i += threads)
      xs[i] = 2 * x[k + i];
    __syncthreads();
    for (int j = 0; j < 5 * T / 2; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// Rows by one axis, columns by the other.
__global__ void rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4][T];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    for (int i = threadIdx.y; i < 4; i += blockDim.y)
      for (int j = threadIdx.x; j < T; j += blockDim.x)
        xs[i][j] = 2 * x[k + i * T + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j % 4][j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^.* }}rows(const float *
// CHECK: if (blockDim.x != 32 || blockDim.y != 2)

// As many turns as a block needs, in a template and in a plain function.
template <int N>
__global__ void turns(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[N];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * blockDim.y;
  float sum = 0;
  for (int k = 0; k < n; k += N) {
    for (int i = 0; i < N / threads; ++i)
      xs[i * threads + t] = 2 * x[k + i * threads + t];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void turns<2 * T>(const float *, float *, int);
template __global__ void turns<4 * T>(const float *, float *, int);

// In a helper: the kernel around it checks.
__device__ void fill(float *xs, const float *from) {
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < 4 * T;
       i += blockDim.x * blockDim.y)
    xs[i] = from[i] + 1;
}
__global__ void in_helper(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    fill(xs, x + k);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^.* }}in_helper(const float *
// CHECK: if (blockDim.x != 32 || blockDim.y != 2)

// Asynchronous copies need no count, and no check.
__global__ void copied(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    for (int i = t; i < 4 * T; i += blockDim.x * blockDim.y)
      xs[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^.* }}copied(const float *
// CHECK-NOT: __trap

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int), int tile) {
  for (int n : multiples(tile)) {
    auto x = in<float>("x", n + tile);
    auto y = out<float>("y", T);
    launch({1, dim3(32, 2)}, kernel, x, y, n);
  }
}
CASE(product) { run(product, 4 * T); }
CASE(variable) { run(variable, 5 * T / 2); }
CASE(rows) { run(rows, 4 * T); }
CASE(turns) {
  run(turns<2 * T>, 2 * T);
  run(turns<4 * T>, 4 * T);
}
CASE(in_helper) { run(in_helper, 4 * T); }
CASE(copied) { run(copied, 4 * T); }
#endif
