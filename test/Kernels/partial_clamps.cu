// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles whose length is cut by an `if` behind its declaration, and rows that
// begin at a number which was loaded: what is not stored is not read.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --allow-occupancy-drop -n 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK-COUNT-5: remark: pipelined K-loop: 2 stages of

#include <cuda_runtime.h>

constexpr int T = 32;

// What is left, but no more than a tile.
__global__ void left(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    int run = n - t;
    if (run > T)
      run = T;
    if (threadIdx.x < run)
      s[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < run; j++)
      sum = sum * 0.5f + s[j].x * (threadIdx.x + 1) - s[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A tile, but no more than is left.
__global__ void whole(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    int run = T;
    if (t + T > n) { run = n - t; }
    if (i < run)
      s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++)
      sum = sum * 0.5f + s[j] * (i + 1);
    __syncthreads();
  }
  y[i] = sum;
}

// Asked of the variable itself, from the other side; the store asks the bound.
__global__ void asks(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    int run = T;
    if (n - t < run)
      run = n - t;
    if (t + i < n)
      s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++)
      sum = sum * 0.5f + s[j] * (i + 1);
    __syncthreads();
  }
  y[i] = sum;
}

// The copy is a loop.
__global__ void loops(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[2 * T];
  float sum = 0;
  for (int t = 0; t < n; t += 2 * T) {
    int run = n - t;
    if (run >= 2 * T)
      run = 2 * T;
    for (int i = threadIdx.x; i < run; i += T)
      s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++)
      sum = sum * 0.5f + s[j] * (threadIdx.x + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A row of a sparse matrix: nobody knows that it does not begin below zero.
__global__ void sparse(const int *__restrict__ rows, const int *__restrict__ columns,
                       const float *__restrict__ values, const float *__restrict__ B,
                       float *__restrict__ C) {
  __shared__ int column[T];
  __shared__ float value[T];
  const int row = blockIdx.x;
  const int begin = rows[row], end = rows[row + 1];
  float sum = 0;
  for (int p = begin; p < end; p += T) {
    int at = p + threadIdx.x;
    if (at < end) {
      value[threadIdx.x] = values[at];
      column[threadIdx.x] = columns[at] * T;
    }
    __syncthreads();
    for (int k = 0; k < T && p + k < end; k++)
      sum += value[k] * B[column[k] + threadIdx.x];
    __syncthreads();
  }
  C[row * T + threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
const int Lengths[] = {0, 1, 31, 32, 33, 63, 64, 65, 100, 160, 161};
CASE(left) {
  for (int n : Lengths) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T);
    launch({1, T}, left, x.as<float4>(), y, n);
  }
}
CASE(whole) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, whole, x, y, n);
  }
}
CASE(asks) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, asks, x, y, n);
  }
}
CASE(loops) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, loops, x, y, n);
  }
}
CASE(sparse) {
  const int Row[] = {0, 0, 1, 34, 66, 131, 160};
  auto rows = in<int>("rows", 7, [&](std::size_t i) { return Row[i]; });
  auto columns = in<int>("columns", 160, [](std::size_t i) { return int(i * 7 % 11); });
  auto values = in<float>("values", 160), b = in<float>("b", 11 * T);
  auto c = out<float>("c", 6 * T);
  launch({6, T}, sparse, rows, columns, values, b, c);
}
#endif
