// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pipelined text would mean otherwise is found when the result is
// compared with the input, tree against tree.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=ldg %s 2>&1 | FileCheck %s

constexpr int T = 64;

// CHECK: names.cu:[[@LINE+7]]:3: warning: not pipelined: the pipelined text would not mean what this loop means [kpipe-name-meaning]
// CHECK: names.cu:[[@LINE+11]]:23: note: 'function_name' would be 'operator()' in the pipelined text
__global__ void __launch_bounds__(T)
function_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;

  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)

      sum += xs[j] * (__func__[0] + (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Its twin names the function outside.
// CHECK: names.cu:[[@LINE+6]]:3: remark: pipelined K-loop
__global__ void __launch_bounds__(T)
function_name_outside(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = __func__[0];
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Another name of what the header advances, made before the loop.
// CHECK: names.cu:[[@LINE+8]]:3: warning: not pipelined: the pipelined text would not mean what this loop means [kpipe-name-meaning]
// CHECK: names.cu:[[@LINE+6]]:13: note: 'i' gets another name here, by which the loop could reach it while the load runs ahead
__global__ void __launch_bounds__(T)
pointer_to_header(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  int *at = &i;
  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + *at;
}

// Its twin is made behind the loop.
// CHECK: names.cu:[[@LINE+7]]:3: remark: pipelined K-loop
__global__ void __launch_bounds__(T)
pointer_behind_loop(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;

  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  int *at = &i;
  y[threadIdx.x] = sum + *at;
}
