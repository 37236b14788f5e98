// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the name validator finds by itself, with the rules that say it first
// switched off: names that mean another, second names, effects twice.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   --variant=ldg %s 2>&1 | FileCheck %s

constexpr int T = 64;

// CHECK: unruled.cu:[[@LINE+7]]:3: warning: not pipelined: the pipelined code would not mean the same as this loop [kpipe-name-meaning]
// CHECK: unruled.cu:[[@LINE+11]]:23: note: 'function_name' would be 'operator()' in the pipelined code
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
// CHECK: unruled.cu:[[@LINE+6]]:3: remark: pipelined K-loop
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
// CHECK: unruled.cu:[[@LINE+8]]:3: warning: not pipelined: the pipelined code would not mean the same as this loop [kpipe-name-meaning]
// CHECK: unruled.cu:[[@LINE+6]]:14: note: 'i' gets another name here, through which the loop could access it while the load runs ahead
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
// CHECK: unruled.cu:[[@LINE+7]]:3: remark: pipelined K-loop
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


// A closure's name of it, made before the loop.
// CHECK: unruled.cu:[[@LINE+8]]:3: warning: not pipelined: the pipelined code would not mean the same as this loop [kpipe-name-meaning]
// CHECK: unruled.cu:[[@LINE+6]]:{{[0-9]+}}: note: 'i' gets another name here
__global__ void __launch_bounds__(T)
closure_of_header(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i;
  auto at = [&] { return i; };
  for (i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + at();
}

// One made behind a loop that comes again.
// CHECK: unruled.cu:[[@LINE+9]]:5: warning: not pipelined: the pipelined code would not mean the same as this loop [kpipe-name-meaning]
// CHECK: unruled.cu:[[@LINE+15]]:{{[0-9]+}}: note: 'i' gets another name here
__global__ void __launch_bounds__(T)
pointer_behind_again(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i, *at = nullptr;
  for (int o = 0; o < 2; ++o) {
    for (i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    at = &i;
  }
  y[threadIdx.x] = sum + *at;
}
