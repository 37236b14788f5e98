// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in text that nvcc or the host's pass reads and this parse does not,
// and names that are not spelled as they read.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s -- \
// RUN:   -isystem %S/Inputs 2>&1 | FileCheck %s --implicit-check-not=warning:

constexpr int T = 64;
template <typename K>
void run(K kernel, const float *x, float *y, int n) {
  kernel<<<1, T, T * 4>>>(x, y, n);
}

// The name goes on in the next line.
__global__ void __launch_bounds__(T)
split_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: single buffer of xs
// CHECK: the kernel is named in line {{[0-9]+}}, in text that only another pass or configuration
void split_name_seen(const float *x, float *y, int n) {
  split_name<<<1, T, T * 4>>>(x, y, n);
}
#ifndef __CUDA_ARCH__
void split_name_hidden(const float *x, float *y, int n) {
  spl\
it_name<<<1, T, T * 4>>>(x, y, n);
}
#endif

// The name has another spelling.
__global__ void __launch_bounds__(T)
namé(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: single buffer of xs
// CHECK: the kernel is named in line {{[0-9]+}}, in text that only another pass or configuration
void namé_seen(const float *x, float *y, int n) {
  namé<<<1, T, T * 4>>>(x, y, n);
}
#ifndef __CUDA_ARCH__
void namé_hidden(const float *x, float *y, int n) {
  nam\u00e9<<<1, T, T * 4>>>(x, y, n);
}
#endif

// So has the condition.
__global__ void __launch_bounds__(T)
split_condition(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: single buffer of xs
// CHECK: the kernel is named in line {{[0-9]+}}, in text that only another pass or configuration
void split_condition_seen(const float *x, float *y, int n) {
  split_condition<<<1, T, T * 4>>>(x, y, n);
}
#ifndef __CUDA_\
ARCH__
void split_condition_hidden(const float *x, float *y, int n) {
  run(split_condition, x, y, n);
}
#endif

// One pass defines a macro, the other takes it back.
__global__ void __launch_bounds__(T)
taken_back(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: single buffer of xs
// CHECK: the kernel is named in line {{[0-9]+}}, in text that only another pass or configuration
void taken_back_seen(const float *x, float *y, int n) {
  taken_back<<<1, T, T * 4>>>(x, y, n);
}
#define HOST
#ifdef __CUDA_ARCH__
#undef HOST
#endif
#ifdef HOST
void taken_back_hidden(const float *x, float *y, int n) {
  run(taken_back, x, y, n);
}
#endif

// nvcc is no Clang.
__global__ void __launch_bounds__(T)
not_for_clang(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: single buffer of xs
// CHECK: the kernel is named in line {{[0-9]+}}, in text that only another pass or configuration
void not_for_clang_seen(const float *x, float *y, int n) {
  not_for_clang<<<1, T, T * 4>>>(x, y, n);
}
#ifndef __clang__
#define PLAIN
#endif
#ifdef PLAIN
void not_for_clang_hidden(const float *x, float *y, int n) {
  run(not_for_clang, x, y, n);
}
#endif

__global__ void __launch_bounds__(T)
for_nvcc(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: single buffer of xs
// CHECK: the kernel is named in line {{[0-9]+}}, in text that only another pass or configuration
void for_nvcc_seen(const float *x, float *y, int n) {
  for_nvcc<<<1, T, T * 4>>>(x, y, n);
}
#ifdef __NVCC__
void for_nvcc_hidden(const float *x, float *y, int n) {
  run(for_nvcc, x, y, n);
}
#endif

// A header that is included as the system's launches it.
__global__ void __launch_bounds__(T)
in_system_header(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: single buffer of xs
// CHECK: and what names the kernel in line {{[0-9]+}} may launch it as before
void system_header(const float *x, float *y, int n) {
  in_system_header<<<1, T, T * 4>>>(x, y, n);
}
#include <launching_header.h>

// Another configuration tells of it only, and a label has its name.
__global__ void __launch_bounds__(T)
told_of(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: remark: pipelined K-loop: 2 stages of xs
void told(const float *x, float *y, int n) {
told_of:
  told_of<<<1, T, T * 4>>>(x, y, n);
  if (--n > 0)
    goto told_of;
#ifdef DEBUG
  print((void *)told_of);
#endif
}
