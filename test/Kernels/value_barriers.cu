// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that give a value end a tile, too, where the statement does not read
// it: they stay in the compute.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s
// SAYS-COUNT-5: remark: pipelined K-loop

#include <cuda_runtime.h>

constexpr int T = 64;

// CHECK-LABEL: counted(
// CHECK: auto compute_tile
// CHECK: int above = __syncthreads_count(sum > 8.f);
// CHECK-NEXT: total += above;
// CHECK-NEXT: };
__global__ void counted(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T];
  int total = 0;
  for (int k = 0; k < K; k += T) {
    s[threadIdx.x] = A[k + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < T; ++j)
      sum += s[j] * float((j + threadIdx.x) % 3);
    int above = __syncthreads_count(sum > 8.f);
    total += above;
  }
  out[threadIdx.x] = float(total);
}

// In a condition, which all threads ask for.
__global__ void in_condition(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T];
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    s[threadIdx.x] = A[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j] * float((j + threadIdx.x) % 3);
    if (__syncthreads_or(sum > 50.f))
      sum *= 0.5f;
    else
      sum += 1;
  }
  out[threadIdx.x] = sum;
}

// In an assignment; the tile is a part of what is asked for before.
__global__ void assigned(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T];
  int all = 1;
  for (int k = 0; k < K; k += T) {
    s[threadIdx.x] = A[k + threadIdx.x] + 1;
    __syncthreads();
    const bool own = s[T - 1 - threadIdx.x] > 0.5f;
    all &= __syncthreads_and(own);
  }
  out[threadIdx.x] = float(all);
}

// A number that all threads have, which another barrier follows.
__global__ void in_front(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T];
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    s[threadIdx.x] = A[k + threadIdx.x];
    __syncthreads();
    const int small = __syncthreads_count(s[threadIdx.x ^ 1] < 0.5f);
    for (int j = 0; j < small; ++j)
      sum += s[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// By a function.
__device__ int votes(float v) { return __syncthreads_count(v > 3.f); }

__global__ void by_function(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T];
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    s[threadIdx.x] = A[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j] * float((j + threadIdx.x) % 3);
    sum -= float(votes(sum));
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define FLAT(kernel)                                                           \
  CASE(kernel) {                                                               \
    for (int K : multiples(T)) {                                               \
      auto A = in<float>("A", K);                                              \
      auto out = harness::out<float>("out", T);                                \
      launch({1, T}, kernel, A, out, K);                                       \
    }                                                                          \
  }
FLAT(counted)
FLAT(in_condition)
FLAT(assigned)
FLAT(in_front)
FLAT(by_function)
#endif
