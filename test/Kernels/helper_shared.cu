// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One helper that three kernels fill their tiles with. Two of them are asked to
// go through registers for all of it, so they share the clones; the third
// copies half of the tile asynchronously and needs clones of its own.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
// RUN: %kpipe rewrite %s --arch=sm_86 2>/dev/null | FileCheck %s
// CHECK: void fill_{{store}}(
// CHECK: void fill_{{store_2}}(
// CHECK-NOT: void fill_{{store_3}}(

constexpr int T = 16;

__device__ void fill(float (*tile)[T], float (*Bs)[T + 1], const float *A,
                     const float *B, int n, int k0) {
  tile[threadIdx.y][threadIdx.x] = A[threadIdx.y * n + k0 + threadIdx.x];
  Bs[threadIdx.x][threadIdx.y] = B[(k0 + threadIdx.y) * T + threadIdx.x] * 2.0f;
}

__device__ float multiply(const float (*As)[T], const float (*Bs)[T + 1]) {
  float sum = 0.0f;
  for (int k = 0; k < T; ++k)
    sum += As[threadIdx.y][k] * Bs[threadIdx.x][k];
  return sum;
}

// kpipe: variant=cp-async
__global__ void mixed(const float *A, const float *B, float *C, int n) {
  __shared__ float As[T][T], Bs[T][T + 1];
  float acc = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    fill(As, Bs, A, B, n, k0);
    __syncthreads();
    acc += multiply(As, Bs);
    __syncthreads();
  }
  C[threadIdx.y * T + threadIdx.x] = acc;
}

// kpipe: variant=ldg
__global__ void staged(const float *A, const float *B, float *C, int n) {
  __shared__ float As[T][T], Bs[T][T + 1];
  float acc = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    fill(As, Bs, A, B, n, k0);
    __syncthreads();
    acc += multiply(As, Bs);
    __syncthreads();
  }
  C[threadIdx.y * T + threadIdx.x] = acc;
}

// kpipe: variant=ldg
__global__ void staged_too(const float *A, const float *B, float *C, int n) {
  __shared__ float As[T][T], Bs[T][T + 1];
  float acc = 1.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    fill(As, Bs, A, B, n, k0);
    __syncthreads();
    acc += multiply(As, Bs);
    __syncthreads();
  }
  C[threadIdx.y * T + threadIdx.x] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(helper_shared) {
  for (int n : multiples(T)) {
    auto a = in<float>("A", T * n), b = in<float>("B", n * T);
    auto c = out<float>("C", T * T), d = out<float>("D", T * T),
         e = out<float>("E", T * T);
    launch({dim3(1), dim3(T, T)}, mixed, a, b, c, n);
    launch({dim3(1), dim3(T, T)}, staged, a, b, d, n);
    launch({dim3(1), dim3(T, T)}, staged_too, a, b, e, n);
  }
}
#endif
