// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that moves has branches for other passes and architectures, which the
// pass that was analysed does not see. This file is rewritten for one architecture
// and executed as the host's pass: the undefinition is seen by the executor only.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

#ifdef KPIPE_HARNESS
#undef __CUDA_ARCH__
#endif

constexpr int T = 64;

__global__ void __launch_bounds__(T)
compute_for_host(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
#ifdef __CUDA_ARCH__
      sum += __fmul_rn(xs[j], threadIdx.x ^ j);
#else
      sum += xs[j] * (threadIdx.x ^ j);
#endif
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The load's other branch, with a guard more.
__global__ void __launch_bounds__(T)
load_for_others(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
#if __CUDA_ARCH__ >= 800
    xs[threadIdx.x] = x[i + threadIdx.x];
#else
    if (i >= 0)
      xs[threadIdx.x] = x[i + threadIdx.x] * 2;
#endif
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A barrier that other architectures need, the array itself, the whole header.
__global__ void __launch_bounds__(T)
array_for_others(const float *__restrict__ x, float *__restrict__ y, int n) {
#ifdef __CUDA_ARCH__
  __shared__ float xs[T];
#else
  __shared__ float xs[T + 1];
#endif
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + sizeof(xs);
}
__global__ void __launch_bounds__(T)
header_for_others(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  for (int i = 0; i < n; i += T) {
#else
  for (int i = n - T; i >= 0; i -= T) {
#endif
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// A macro means one thing there and another here.
#ifdef __CUDA_ARCH__
#define MULTIPLY(a, b) __fmul_rn(a, b)
#define FIRST(i) i
#else
#define MULTIPLY(a, b) ((a) * (b))
#define FIRST(i) xs[0] + i
#endif
__global__ void __launch_bounds__(T)
macro_for_others(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += MULTIPLY(xs[j], (threadIdx.x ^ j)) + FIRST(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Behind the loop the other pass reads the tile.
__global__ void __launch_bounds__(T)
tile_read_by_others(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
#ifndef __CUDA_ARCH__
  if (n > 0)
    sum += xs[threadIdx.x ^ 1];
#endif
  y[threadIdx.x] = sum;
}

// Outside of the loop, and in a function that it calls.
__device__ float multiply(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  return a * b;
#endif
}
__global__ void __launch_bounds__(T)
in_a_function_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += multiply(xs[j], threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
behind_the_loop_legal(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
#ifdef __CUDA_ARCH__
  y[threadIdx.x] = __fmul_rn(sum, 2.0f);
#else
  y[threadIdx.x] = sum * 2;
#endif
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(compute_for_host)
TILES(load_for_others)
TILES(array_for_others)
TILES(header_for_others)
TILES(macro_for_others)
TILES(tile_read_by_others)
TILES(in_a_function_legal)
TILES(behind_the_loop_legal)
#endif
