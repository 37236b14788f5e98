// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guard keeps a thread from an address that is none: far outside, null, below
// the array, misaligned, out of a table that has no such entry. Whatever becomes
// of the guard, nothing may be read through it.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
far_row(const float *__restrict__ A, float *__restrict__ y, int rows, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int row = blockIdx.x * 8 + threadIdx.x / 8;
  const float *a = A + row * 100000;
  for (int i = 0; i < n; i += 8) {
    xs[threadIdx.x] = row < rows ? a[i + threadIdx.x % 8] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
null_row(const float *__restrict__ A, float *__restrict__ y, int rows, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int row = threadIdx.x / 8;
  const float *a = row < rows ? A + row * n : nullptr;
  for (int i = 0; i < n; i += 8) {
    xs[threadIdx.x] = a ? a[i + threadIdx.x % 8] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
null_vectors(const float *__restrict__ A, float *__restrict__ y, int rows,
             int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  int row = threadIdx.x / 2;
  const float *a = row < rows ? A + row * n : nullptr;
  for (int i = 0; i < n; i += 8) {
    if (a != nullptr)
      xs[threadIdx.x] =
          reinterpret_cast<const float4 *>(a + i)[threadIdx.x % 2];
    else
      xs[threadIdx.x] = make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Below the array, by an index that a halo makes negative.
__global__ void __launch_bounds__(T)
below_zero(const float *__restrict__ A, float *__restrict__ y, int rows,
           int n) {
  __shared__ float xs[T + 32];
  float sum = 0;
  for (int i = 0; i < n; i += 8) {
    for (int j = threadIdx.x; j < T + 32; j += T) {
      int at = i + j - 32;
      xs[j] = at >= 0 && at < rows * n ? A[at] : 0.0f;
    }
    __syncthreads();
    for (int j = 0; j < T + 32; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Misaligned for the threads that do not read.
__global__ void __launch_bounds__(T)
misaligned(const float *__restrict__ A, float *__restrict__ y, int rows,
           int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  int row = threadIdx.x / 2;
  const float *a = A + row * n + (row < rows ? 0 : 1);
  for (int i = 0; i < n; i += 8) {
    xs[threadIdx.x] =
        row < rows ? reinterpret_cast<const float4 *>(a + i)[threadIdx.x % 2]
                   : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// The address is read where the guard allows it: a table with rows entries.
__global__ void __launch_bounds__(T)
row_of_a_table(const float *__restrict__ A, const int *__restrict__ table,
               float *__restrict__ y, int rows, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int row = threadIdx.x / 8;
  for (int i = 0; i < n; i += 8) {
    xs[threadIdx.x] =
        row < rows ? A[table[row] * n + i + threadIdx.x % 8] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// A division in the address that the guard keeps from zero.
__global__ void __launch_bounds__(T)
division(const float *__restrict__ A, float *__restrict__ y, int rows, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int parts = int(threadIdx.x / 8) < rows ? 2 : 0;
  for (int i = 0; i < n; i += 8) {
    if (parts != 0)
      xs[threadIdx.x] = A[(i + threadIdx.x % 8) / parts];
    else
      xs[threadIdx.x] = 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
row_below_end_legal(const float *__restrict__ A, float *__restrict__ y,
                    int rows, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int row = threadIdx.x / 8;
  for (int i = 0; i < n; i += 8) {
    xs[threadIdx.x] = row < rows ? A[row * n + i + threadIdx.x % 8] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define ROWS(K, Rows)                                                          \
  CASE(K) {                                                                    \
    for (int n : multiples(8)) {                                               \
      auto A = in<float>("A", Rows * n), y = out<float>("y", T);               \
      launch({1, T}, K, A, y, Rows, n);                                        \
    }                                                                          \
  }
ROWS(far_row, 1)
ROWS(null_row, 3)
ROWS(null_vectors, 5)
ROWS(below_zero, 2)
ROWS(misaligned, 5)
CASE(row_of_a_table) {
  for (int n : multiples(8)) {
    auto A = in<float>("A", 3 * n), y = out<float>("y", T);
    auto table = in<int>("table", 3, [](int i) { return 2 - i; });
    launch({1, T}, row_of_a_table, A, table, y, 3, n);
  }
}
ROWS(division, 3)
ROWS(row_below_end_legal, 3)
#endif
