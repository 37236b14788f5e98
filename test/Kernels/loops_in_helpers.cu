// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop stands in a helper that takes its tiles as parameters: the arrays of
// its callers get the stages.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --variant=cp-async 2>err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err --implicit-check-not="single buffer"
// SAID: remark: pipelined K-loop: 2 stages of xs, zs, cp.async

constexpr int T = 16;

// Pointers, two callers.
__device__ float pointers(const float *__restrict__ x, float *xs, float *zs,
                          int n) {
  int t = threadIdx.x;
  float s = 0.0f;
  // CHECK: {{^}}      auto *xs = kpipe::advance_bytes(xs_{{stages}}, s{{tage}} * 256);
  for (int k = 0; k < n; k += 64) {
    xs[t] = x[k + t];
    zs[t] = x[k + 63 - t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * zs[(j + t) % 64];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(64)
first(const float *__restrict__ x, float *__restrict__ y, int n) {
  // CHECK: {{^}}  __shared__ float xs_{{stages_2}}[2][64], zs_{{stages_2}}[2][8][8];
  // CHECK-NEXT: {{^}}  auto &xs = xs_{{stages_2}}[0];
  // CHECK-NEXT: {{^}}  static_assert(sizeof(xs) == 256, "pointers() keeps stages of so many bytes");
  // CHECK-NEXT: {{^}}  auto &zs = zs_{{stages_2}}[0];
  // CHECK-NEXT: {{^}}  static_assert(sizeof(zs) == 256, "pointers() keeps stages of so many bytes");
  // CHECK-NEXT: {{^}}  y[threadIdx.x] = pointers(x, xs, &zs[0][0], n);
  __shared__ float xs[64], zs[8][8];
  y[threadIdx.x] = pointers(x, xs, &zs[0][0], n);
}
__global__ void __launch_bounds__(64)
second(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[64], other[64];
  float s = pointers(x, tile, other, n);
  y[threadIdx.x] = s - pointers(x, tile, other, n / 2);
}

// References to arrays, of a template.
template <int BK>
__device__ void references(const float *A, const float *B, float (&As)[T][BK],
                           float (&Bs)[BK][T], int K, float &sum) {
  int tx = threadIdx.x, ty = threadIdx.y;
  // CHECK: {{^}}      auto &As = *kpipe::advance_bytes(&As_{{stages}}, s{{tage}} * sizeof(As_{{stages}}));
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[ty][tx] = A[ty * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * T + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
}
__global__ void __launch_bounds__(T *T)
by_reference(const float *A, const float *B, float *C, int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  float sum = 0.0f;
  references<T>(A, B, As, Bs, K, sum);
  C[threadIdx.y * T + threadIdx.x] = sum;
}

// Rows, and the last tile read behind the loop.
__device__ float rows(const float *x, float tile[][T], int n) {
  int tx = threadIdx.x, ty = threadIdx.y;
  float s = 0.0f;
  for (int k = 0; k < n; k += T) {
    tile[ty][tx] = x[ty * n + k + tx];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += tile[j][tx] - tile[ty][j];
    __syncthreads();
  }
  return n > 0 ? s + tile[tx][ty] : s;
}
__global__ void __launch_bounds__(T *T)
by_rows(const float *x, float *y, int n) {
  __shared__ float tile[T][T];
  y[threadIdx.y * T + threadIdx.x] = rows(x, tile, n);
}

// Two load phases of one tile, a barrier between them.
__device__ void phases(const float *__restrict__ x, float *xs, float *zs, int n,
                       float &s) {
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 64) {
    xs[t] = x[k + t];
    __syncthreads();
    zs[t] = x[k + 63 - t];
    __syncthreads();
    s += xs[t ^ 1] * zs[t ^ 1];
    __syncthreads();
  }
}
__global__ void __launch_bounds__(64)
two_phases(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[64], zs[64];
  float s = 0;
  phases(x, xs, zs, n, s);
  y[threadIdx.x] = s;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(first) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, first, x, y, n);
  }
}
CASE(second) {
  for (int n : multiples(128)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, second, x, y, n);
  }
}
CASE(by_reference) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", T * k), b = in<float>("B", k * T);
    auto c = out<float>("C", T * T);
    launch({1, dim3(T, T)}, by_reference, a, b, c, k);
  }
}
CASE(by_rows) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", T * n), y = out<float>("y", T * T);
    launch({1, dim3(T, T)}, by_rows, x, y, n);
  }
}
CASE(two_phases) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, two_phases, x, y, n);
  }
}
#endif
