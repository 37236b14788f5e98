// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that look as if nothing wrote them again, and count the elements of
// a copy: what changes them stands in a lambda, behind a pointer or a reference,
// in inline assembly, in a function.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

// Through its address.
__global__ void __launch_bounds__(T)
by_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  int *p = &parts;
  for (int i = 0; i < n; i += T) {
    *p = 2 + i / T % 2;
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through another name.
__global__ void __launch_bounds__(T)
by_reference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  int &r = parts;
  for (int i = 0; i < n; i += T) {
    r = 2 + i / T % 2;
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a lambda that captures all.
__global__ void __launch_bounds__(T)
by_lambda(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  auto grow = [&] { parts = 2 + parts % 2; };
  for (int i = 0; i < n; i += T) {
    grow();
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a lambda of a lambda.
__global__ void __launch_bounds__(T)
by_nested_lambda(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  auto grow = [&](int by) {
    auto set = [&] { parts = 2 + by % 2; };
    set();
  };
  for (int i = 0; i < n; i += T) {
    grow(i / T);
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through a reference that is not const any more.
__global__ void __launch_bounds__(T)
by_const_reference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  const int &r = parts;
  for (int i = 0; i < n; i += T) {
    const_cast<int &>(r) = 2 + i / T % 2;
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// By a function that promises not to.
__device__ void grow(const int &parts, int by) {
  (int &)parts = 2 + by % 2;
}
__global__ void __launch_bounds__(T)
by_function(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  for (int i = 0; i < n; i += T) {
    grow(parts, i / T);
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// By the assembler.
__global__ void __launch_bounds__(T)
by_assembly(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  for (int i = 0; i < n; i += T) {
    asm("mov.u32 %0, %1;" : "=r"(parts) : "r"(2 + i / T % 2));
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a condition that holds for one tile.
__global__ void __launch_bounds__(T)
by_condition(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  for (int i = 0; i < n; i += T) {
    if (i == T && (parts = 3))
      sum += 1;
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Read only, also in a lambda.
__global__ void __launch_bounds__(T)
read_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  auto twice = [&] { return parts * 2; };
  for (int i = 0; i < n; i += T) {
    sum += twice();
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A copy changes.
__global__ void __launch_bounds__(T)
copied_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  int parts = 2;
  int other = parts;
  for (int i = 0; i < n; i += T) {
    other += i;
    sum += other;
    for (int j = 0; j < parts; ++j)
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(by_pointer) { run(by_pointer); }
CASE(by_reference) { run(by_reference); }
CASE(by_lambda) { run(by_lambda); }
CASE(by_nested_lambda) { run(by_nested_lambda); }
CASE(by_const_reference) { run(by_const_reference); }
CASE(by_function) { run(by_function); }
CASE(by_assembly) { run(by_assembly); }
CASE(by_condition) { run(by_condition); }
CASE(read_legal) { run(read_legal); }
CASE(copied_legal) { run(copied_legal); }
#endif
