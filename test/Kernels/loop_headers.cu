// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One product of a matrix and a vector under every form of loop header.
// REQUIRES: executor
// RUN: %variants --at-least=10 %s
//
// The pragma of the loop stays with it; an operand that binds weakly is put in
// parentheses.
// RUN: %kpipe rewrite %s --arch=sm_86 --kernel=header_weak_step 2>/dev/null | FileCheck %s
// CHECK-LABEL: {{^}}header_weak_step(
// CHECK: {{^}}#pragma unroll 1
// CHECK-NEXT: {{^ +}}for (; j0 + (m > 0 ? T : 2 * T) < n; j0 += m > 0 ? T : 2 * T) {

constexpr int T = 64;

// x is staged; each thread owns a row of the (column-major) matrix.
__global__ void __launch_bounds__(T)
header_two_variables(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  const float *a = A;
  for (int j0 = 0, left = n; left > 0; j0 += T, left -= T) {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += a[(j0 + j) * m + row] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(T)
header_weak_step(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
#pragma unroll 1
  for (int j0 = 0; j0 < n; j0 += m > 0 ? T : 2 * T) {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(j0 + j) * m + row] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(T)
header_pointer(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  int j0 = 0;
  for (const float *p = x; p < x + n; p += T, j0 += T) {
    xs[tid] = p[tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(j0 + j) * m + row] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(T)
header_inclusive(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  int last = n / T - 1;
  for (int t = 0; t <= last; t++) {
    xs[tid] = x[t * T + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(t * T + j) * m + row] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(T)
header_countdown(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  for (int t = n / T - 1; t >= 0; --t) {
    xs[tid] = x[t * T + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(t * T + j) * m + row] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(T)
header_outside(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  int j0;
  for (j0 = 0; j0 < n; j0 += T) {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(j0 + j) * m + row] * xs[j];
    __syncthreads();
  }
  sum += float(j0); // lives on after the loop
  y[row] = sum;
}

__global__ void __launch_bounds__(T)
header_while(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  int j0 = 0;
  while (j0 < n) {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(j0 + j) * m + row] * xs[j];
    __syncthreads();
    j0 += T;
  }
  y[row] = sum;
}

__global__ void __launch_bounds__(T)
header_while_count(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  int tiles = n / T, j0 = 0;
  while (tiles--) {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(j0 + j) * m + row] * xs[j];
    j0 += T;
    __syncthreads();
  }
  y[row] = sum;
}

// Runs at least once: launched with n > 0 only.
__global__ void __launch_bounds__(T)
header_do(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  int j0 = 0;
  do {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(j0 + j) * m + row] * xs[j];
    __syncthreads();
    j0 += T;
  } while (j0 < n);
  y[row] = sum;
}

// The variable starts at the thread's own index.
__global__ void __launch_bounds__(T)
header_thread_start(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  for (int i = tid; i < n; i += T) {
    xs[tid] = x[i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(i - tid + j) * m + row] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

// Macros hide the variable in the condition and in the step.
#define LEFT(Index) (Index < n)
#define BEHIND(Index) ((Index) + T)
__global__ void __launch_bounds__(T)
header_macros(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  for (int j0 = 0; LEFT(j0); j0 = BEHIND(j0)) {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[(j0 + j) * m + row] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

// Where the loop ends and how it steps stands in shared memory.
__global__ void __launch_bounds__(T)
header_shared_step(const float *A, const float *x, float *y, int m, int n) {
  __shared__ float xs[T];
  __shared__ int end, step, row_step;
  int tid = threadIdx.x, row = blockIdx.x * T + tid;
  float sum = 0.0f;
  if (tid == 0) {
    end = n - 1;
    step = T;
    row_step = T * m;
  }
  __syncthreads();
  for (int j0 = 0, a = row; j0 <= end; j0 += step, a += row_step) {
    xs[tid] = x[j0 + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += A[a + j * m] * xs[j];
    __syncthreads();
  }
  y[row] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, const float *, float *, int, int),
                bool once = false) {
  for (int n : multiples(T)) {
    if (once && n == 0)
      continue;
    auto a = in<float>("A", n * 2 * T), x = in<float>("x", n);
    auto y = out<float>("y", 2 * T);
    launch({2, T}, kernel, a, x, y, 2 * T, n);
  }
}
CASE(header_two_variables) { run(header_two_variables); }
CASE(header_weak_step) { run(header_weak_step); }
CASE(header_pointer) { run(header_pointer); }
CASE(header_inclusive) { run(header_inclusive); }
CASE(header_countdown) { run(header_countdown); }
CASE(header_outside) { run(header_outside); }
CASE(header_while) { run(header_while); }
CASE(header_while_count) { run(header_while_count); }
CASE(header_do) { run(header_do, true); }
CASE(header_thread_start) { run(header_thread_start); }
CASE(header_macros) { run(header_macros); }
CASE(header_shared_step) { run(header_shared_step); }
#endif
