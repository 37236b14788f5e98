// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pipelined text would mean otherwise. The rules find it before any
// text is made; were they to miss it, the comparison of the result with the
// input would, which test/Unit/ValidationTest.cpp shows with results that are
// changed by hand.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=ldg %s 2>&1 | FileCheck %s

constexpr int T = 64;

// CHECK: names.cu:[[@LINE+11]]:23: warning: not pipelined: the function name used here would change in a lambda [kpipe-moved-text]
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
// CHECK: names.cu:[[@LINE+8]]:22: warning: not pipelined: 'i' has a separate value in the tile that is loaded ahead, but can be reached by another name [kpipe-carried-scalar]
// CHECK: names.cu:[[@LINE+6]]:14: note: its address is taken here
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

// Its twin takes the address of a copy, behind the loop.
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
  int end = i, *at = &end;
  y[threadIdx.x] = sum + *at;
}

// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=cp-async %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ASYNC

// A condition that counts would be asked twice.
// ASYNC: names.cu:[[@LINE+6]]:3: warning: not pipelined: cp.async was asked for, but its condition changes a variable [kpipe-async-shape]
__global__ void __launch_bounds__(T)
counting_guard(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;

  for (int i = 0; i < n; i += T) {
    int c = 0;
    for (int j = 0; j < 4; ++j)

      xs[j * T + threadIdx.x] = c++ < 3 ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A user's function of zero is not zero.
struct __align__(16) V4 {
  float x, y, z, w;
};
__device__ V4 make_pad(float a) { return V4{a + 1, a + 2, a + 3, a + 4}; }
// ASYNC: names.cu:[[@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but its value is computed or converted, not copied [kpipe-async-shape]
__global__ void __launch_bounds__(T)
user_fill(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : make_pad(0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Its twin's zeros are what the language says.
// ASYNC: names.cu:[[@LINE+5]]:3: remark: pipelined K-loop
__global__ void __launch_bounds__(T)
zero_fill(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : V4{};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
