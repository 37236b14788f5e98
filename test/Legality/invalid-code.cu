// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Id invalid-code: a loop that holds code which does not parse is left alone.
// Errors elsewhere in the file do not keep a sound kernel from being pipelined.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

void host_code() { no_such_function(); }

__global__ void sound(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: invalid-code.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void in_loop(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * undeclared;
      // CHECK: invalid-code.cu:[[#@LINE-1]]:22: warning: not pipelined: 'in_loop' contains or calls code that does not parse: use of undeclared identifier 'undeclared' [kpipe-invalid-code]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ float helper(float v) { return missing(v); }
// CHECK: invalid-code.cu:[[#@LINE-1]]:43: warning: not pipelined: 'in_callee' contains or calls code that does not parse: use of undeclared identifier 'missing' [kpipe-invalid-code]

__global__ void in_callee(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += helper(xs[j]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The error lies in a declaration elsewhere; its use in the loop is silent.
__device__ Unknown weight(float v);

__global__ void in_declaration(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      // CHECK: invalid-code.cu:[[#@LINE-1]]:5: warning: not pipelined: 'in_declaration' contains or calls code that does not parse: because of another error Clang leaves out what stands here [kpipe-invalid-code]
      sum += weight(xs[j]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// So does that of a variable; the use of one leaves a trace in the loop.
__device__ Unknown weights[T];

__global__ void in_variable(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weights[j];
      // CHECK: invalid-code.cu:[[#@LINE-1]]:22: warning: not pipelined: the loop contains code that does not parse [kpipe-invalid-code]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What a macro's body holds is compared where the macro is defined.
#define TAKE(to, from)                                                         \
  do {                                                                         \
    to += from;                                                                \
  } while (0)
#define ADD(to, from)                                                          \
  do {                                                                         \
    to += from;                                                                \
    to += weight(from);                                                        \
  } while (0)

__global__ void in_no_macro(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: invalid-code.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      TAKE(sum, xs[j]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void in_macro(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      ADD(sum, xs[j]);
      // CHECK: invalid-code.cu:[[#@LINE-1]]:7: warning: not pipelined: 'in_macro' contains or calls code that does not parse: because of another error Clang leaves out what stands here [kpipe-invalid-code]
      // CHECK: invalid-code.cu:[[#@LINE-121]]:20: warning: ignored 8 parse errors; the code they affect is left unchanged [kpipe-passed-over]
      // CHECK: invalid-code.cu:[[#@LINE-122]]:20: note: use of undeclared identifier 'no_such_function'
      // CHECK: invalid-code.cu:[[#@LINE-98]]:22: note: use of undeclared identifier 'undeclared'
      // CHECK: invalid-code.cu:[[#@LINE-92]]:43: note: use of undeclared identifier 'missing' (and 5 more)
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
