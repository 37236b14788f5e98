// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles that are stored in part, where the part comes from memory, as the
// bounds of a row do, from a choice of two numbers, or from the end of the loop
// that copies.
// REQUIRES: executor
// RUN: %variants --at-least=8 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --variant=cp-async --stages=3 --allow-occupancy-drop -o %t.cu 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not="single buffer"
// CHECK-COUNT-8: remark: pipelined K-loop: 3 stages of

#include <cuda_runtime.h>

constexpr int T = 32;

// A row of a sparse matrix; the thread's index is an unsigned number.
__global__ void row(const int *begins, const int *columns, const float *values, const float *x,
                    float *y) {
  __shared__ int at[T];
  __shared__ float value[T];
  const int begin = begins[blockIdx.x], end = begins[blockIdx.x + 1];
  float sum = 0;
  for (int t = begin; t < end; t += T) {
    const int length = min(T, end - t);
    if (threadIdx.x < length) {
      at[threadIdx.x] = columns[t + threadIdx.x];
      value[threadIdx.x] = values[t + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < length; ++j)
      sum = sum * 0.5f + value[j] * x[at[j] * T + threadIdx.x];
    __syncthreads();
  }
  y[blockIdx.x * T + threadIdx.x] = sum;
}

// A list of rows for each block: an outer loop reads the bounds.
__global__ void rows_of_block(const int *begins, const float *values, float *__restrict__ y,
                              int rows) {
  __shared__ float xs[T];
  const int lane = threadIdx.x;
  for (int r = blockIdx.x; r < rows; r += gridDim.x) {
    float sum = 0;
    for (int t = begins[r]; t < begins[rows]; t += T) {
      const int e = begins[rows];
      if (t + lane < e)
        xs[lane] = values[t + lane];
      __syncthreads();
      for (int j = 0; j < T && t + j < e; ++j)
        sum = sum * 0.5f + xs[j];
      __syncthreads();
    }
    y[r * T + lane] = sum;
  }
}

// Each tile has a count of its own.
__global__ void counts(const int *__restrict__ number, const float *__restrict__ x,
                       float *__restrict__ y, int tiles) {
  __shared__ float xs[T];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    const int c = number[t];
    if (threadIdx.x < c)
      xs[threadIdx.x] = x[t * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < c; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The lesser of two numbers, as a choice: the sum is asked, and the rest taken.
__global__ void chosen(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    const int index = t + threadIdx.x;
    if (index < n)
      xs[threadIdx.x] = x[index];
    __syncthreads();
    const int limit = (t + T > n) ? (n - t) : T;
    for (int j = 0; j < limit; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The other way round, in a macro, and asked by stores and reads.
#define LESSER(a, b) ((a) < (b) ? (a) : (b))
__global__ void lesser(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], zs[T];
  const int lane = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    const int number = LESSER(T, n - t), whole = t + T <= n ? T : n - t;
    if (lane < number)
      xs[lane] = x[t + lane];
    if (lane < whole)
      zs[lane] = x[t + lane] * 2;
    __syncthreads();
    for (int j = 0; j < number; ++j)
      sum = sum * 0.5f + xs[j] * zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The copies' own loop ends with what is left.
__global__ void __launch_bounds__(16)
copied(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    const int count = min(T, n - t);
    for (int i = threadIdx.x; i < count; i += 16)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < count; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same by blockDim, of structures, with bounds from memory.
struct alignas(16) Body {
  float x, y, z, mass;
};
__global__ void __launch_bounds__(16)
leaves(const Body *__restrict__ all, const int *__restrict__ begins, float *__restrict__ y) {
  __shared__ Body tile[T];
  const int end = begins[blockIdx.x + 1];
  float sum = 0;
  for (int first = begins[blockIdx.x]; first < end; first += T) {
    const int number = end - first < T ? end - first : T;
    for (int i = threadIdx.x; i < number; i += blockDim.x)
      tile[i] = all[first + i];
    __syncthreads();
    for (int i = 0; i < number; ++i)
      sum = sum * 0.5f + tile[i].x * tile[i].mass - tile[i].y * tile[i].z;
    __syncthreads();
  }
  y[blockIdx.x * 16 + threadIdx.x] = sum;
}

// Rows in a nested loop, the last of which a tile may not have.
__global__ void lines(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[8][T + 1];
  float sum = 0;
  for (int t = 0; t < n; t += 8) {
    const int number = t + 8 < n ? 8 : n - t;
    for (int r = threadIdx.y; r < number; r += 2)
      xs[r][threadIdx.x] = x[(t + r) * T + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < number; ++r)
      for (int c = 0; c < T; ++c)
        sum = sum * 0.5f + xs[r][c] * (c + threadIdx.y);
    __syncthreads();
  }
  y[threadIdx.y * T + threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static const int Lengths[] = {1, 7, 31, 32, 33, 64, 70, 95, 97, 130, 161, 224};
static int beginOf(size_t I) { return int(I * I * 17 % 23 + I * 40); }

CASE(counts_row) {
  auto begins = in<int>("begins", 6, beginOf);
  auto columns = in<int>("columns", 300, [](size_t i) { return int(i * 7 % 11); });
  auto values = in<float>("values", 300), x = in<float>("x", 11 * T), y = out<float>("y", 5 * T);
  launch({5, T}, row, begins, columns, values, x, y);
}
CASE(counts_rows_of_block) {
  auto begins = in<int>("begins", 6, beginOf);
  auto values = in<float>("values", 300), y = out<float>("y", 5 * T);
  launch({2, T}, rows_of_block, begins, values, y, 5);
}
CASE(counts_counts) {
  auto number = in<int>("number", 9, [](size_t i) { return int(i * 13 % 33); });
  auto x = in<float>("x", 9 * T), y = out<float>("y", T);
  launch({1, T}, counts, number, x, y, 9);
}
CASE(counts_chosen) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, chosen, x, y, n);
  }
}
CASE(counts_lesser) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, lesser, x, y, n);
  }
}
CASE(counts_copied) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 16);
    launch({1, 16}, copied, x, y, n);
  }
}
CASE(counts_leaves) {
  auto begins = in<int>("begins", 6, beginOf);
  auto x = in<float>("x", 4 * 300), y = out<float>("y", 5 * 16);
  launch({5, 16}, leaves, reinterpret_cast<const Body *>((const float *)x), begins, y);
}
CASE(counts_lines) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * T), y = out<float>("y", 2 * T);
    launch({1, dim3(T, 2)}, lines, x, y, n);
  }
}
#endif
