// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of halves that are held in a variable on their way, and zeros that the
// toolkit's functions and constructors make. Its headers copy and make them by
// assembly and pointers; Reach/both-ways.test runs this file with them as well.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite %s --arch=sm_80 -n 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK-COUNT-4: remark: pipelined K-loop: 2 stages of

#include <cuda_fp16.h>

constexpr int T = 32;

__global__ void held(const half *__restrict__ a, float *__restrict__ y, int n) {
  __shared__ half s[T][T + 2];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = threadIdx.x; i < T * T / 2; i += T) {
      const int row = i / (T / 2), c = i % (T / 2) * 2;
      half2 v = *reinterpret_cast<const half2 *>(a + row * n + k + c);
      *reinterpret_cast<half2 *>(&s[row][c]) = v;
    }
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum = sum * 0.5f + __half2float(s[threadIdx.x][i]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// As the rows of a mixture of experts are gathered.
__global__ void gathered(const half *__restrict__ a, const int *__restrict__ rows,
                         float *__restrict__ y, int n, int valid) {
  __shared__ half s[T][T + 2];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = threadIdx.x; i < T * T / 2; i += T) {
      const int row = i / (T / 2), c = i % (T / 2) * 2;
      half2 v = row < valid
                    ? *reinterpret_cast<const half2 *>(a + (size_t)(rows[row] / 2) * n + k + c)
                    : __float2half2_rn(0.f);
      *reinterpret_cast<half2 *>(&s[row][c]) = v;
    }
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum = sum * 0.5f + __half2float(s[threadIdx.x][i]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void stored(const half *__restrict__ a, float *__restrict__ y, int n, int valid) {
  __shared__ half s[T][T + 2];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = threadIdx.x; i < T * T / 2; i += T) {
      const int row = i / (T / 2), c = i % (T / 2) * 2;
      *reinterpret_cast<half2 *>(&s[row][c]) =
          row < valid ? *reinterpret_cast<const half2 *>(a + row * n + k + c)
                      : __floats2half2_rn(0.f, 0.f);
    }
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum = sum * 0.5f + __half2float(s[threadIdx.x][i]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void made(const half2 *__restrict__ a, float *__restrict__ y, int n, int valid) {
  __shared__ half2 s[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    const half2 v = k + (int)threadIdx.x < valid ? a[k + threadIdx.x] : half2(0, 0);
    s[threadIdx.x] = v;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum = sum * 0.5f + __low2float(s[i]) - __high2float(s[(i + threadIdx.x) % T]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(held) {
  for (int n : {32, 64, 160}) {
    auto a = in<half>("a", T * n);
    auto y = out<float>("y", T);
    launch({1, T}, held, a, y, n);
  }
}
CASE(gathered) {
  for (int n : {32, 160}) {
    auto a = in<half>("a", T * n);
    auto rows = in<int>("rows", T, [](std::size_t i) { return int(i * 7 % 31); });
    auto y = out<float>("y", T);
    launch({1, T}, gathered, a, rows, y, n, 21);
  }
}
CASE(stored) {
  for (int n : {32, 160}) {
    auto a = in<half>("a", T * n);
    auto y = out<float>("y", T);
    launch({1, T}, stored, a, y, n, 21);
  }
}
CASE(made) {
  for (int n : {32, 160}) {
    auto a = in<half>("a", 2 * n);
    auto y = out<float>("y", T);
    launch({1, T}, made, a.as<half2>(), y, n, n - 3);
  }
}
#endif
