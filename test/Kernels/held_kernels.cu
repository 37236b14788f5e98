// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels with tiles in dynamic shared memory that a local variable holds where
// they are launched, and launches with braces in them.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>err | %code | FileCheck %s
// RUN: grep -c ': remark: pipelined .* 2 stages' err | grep -x 4

template <int T>
__global__ void __launch_bounds__(T)
by_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <int T> void run_by_name(const float *x, float *y, int n) {
  auto kernel = by_name<T>;
  size_t bytes = T * sizeof(float);
  if (bytes >= 48 * 1024)
    // CHECK: cudaFuncSetAttribute(kernel, {{.*}}
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  // CHECK: kernel<<<1, T, kpipe::opt_in_shared(kernel, kpipe::staged_bytes<2>(bytes))>>>(x, y, n);
  kernel<<<1, T, bytes>>>(x, y, n);
}
void run_both(const float *x, float *y, int n) {
  run_by_name<32>(x, y, n);
  run_by_name<64>(x, y, n);
}

__global__ void __launch_bounds__(64)
by_address(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float *head = tile, *tail = tile + 64;
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    head[threadIdx.x] = x[i + threadIdx.x];
    tail[threadIdx.x] = x[n + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += head[j] * tail[j ^ threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_address(const float *x, float *y, int n) {
  auto *const run = &by_address;
  // CHECK: (*run)<<<1, 64, kpipe::staged_bytes<2>(2 * 64 * sizeof(float))>>>(x, y, n);
  (*run)<<<1, 64, 2 * 64 * sizeof(float)>>>(x, y, n);
}

// Launched twice by one variable, in an argument of a macro.
#define WITH_FLAG(flag, name, ...)                                             \
  [&] {                                                                        \
    if (flag) {                                                                \
      constexpr bool name = true;                                              \
      __VA_ARGS__();                                                           \
    } else {                                                                   \
      constexpr bool name = false;                                             \
      __VA_ARGS__();                                                           \
    }                                                                          \
  }()
template <bool Flag>
__global__ void __launch_bounds__(64)
by_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += Flag ? tile[j] : tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_macro(const float *x, float *y, int n, bool flag) {
  WITH_FLAG(flag, Flag, [&] {
    auto kernel = &by_macro<Flag>;
    // CHECK: kernel<<<1, 64, kpipe::staged_bytes<2>(256)>>>(x, y, 0);
    kernel<<<1, 64, 256>>>(x, y, 0);
    // CHECK: kernel<<<1, 64, kpipe::staged_bytes<2>(256)>>>(x, y, n);
    kernel<<<1, 64, 256>>>(x, y, n);
  });
}

__global__ void __launch_bounds__(64)
braces(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += tile[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_braces(const float *x, float *y, int n) {
  constexpr auto bytes = 64 * sizeof(float);
  // CHECK: braces<<<dim3{1}, dim3{64}, kpipe::staged_bytes<2>(bytes)>>>(x, y, n);
  braces<<<dim3{1}, dim3{64}, bytes>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(by_name) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    run_by_name<64>(x, y, n);
    auto u = in<float>("u", n), v = out<float>("v", 32);
    run_by_name<32>(u, v, n);
  }
}
CASE(by_address) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", 2 * n), y = out<float>("y", 64);
    run_by_address(x, y, n);
  }
}
CASE(by_macro) {
  for (int n : multiples(64))
    for (bool flag : {false, true}) {
      auto x = in<float>("x", n), y = out<float>("y", 64);
      run_by_macro(x, y, n, flag);
    }
}
CASE(braces) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    run_braces(x, y, n);
  }
}
#endif
