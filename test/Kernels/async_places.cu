// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of one thread to one place go in their order, through registers; to
// places that differ they are asynchronous. A zero fill takes addresses that no
// load could take, but computes none that must not be computed.
// REQUIRES: executor
// RUN: %variants %s
//
// RUN: %kpipe rewrite --arch=sm_86 --variant=cp-async %s -o %t.cu 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s --check-prefix=TEXT

constexpr int T = 64;

__global__ void __launch_bounds__(T)
twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    if (threadIdx.x < 9)
      xs[threadIdx.x] = x[n + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: async_places.cu:[[#@LINE-11]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice, and asynchronous copies are unordered [kpipe-async-shape]

// Every turn of the inner loop writes one place.
__global__ void __launch_bounds__(T)
turns(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int r = 0; r < 2; ++r)
      xs[threadIdx.x] = x[r * n + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: async_places.cu:[[#@LINE-10]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice, and asynchronous copies are unordered [kpipe-async-shape]

// The second loop begins where the first has been.
__global__ void __launch_bounds__(T)
two_loops(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int r = 0; r < 2; ++r)
      xs[threadIdx.x + r * T] = x[r * n + i + threadIdx.x];
    for (int r = 1; r < 2; ++r)
      xs[threadIdx.x + r * T] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: async_places.cu:[[#@LINE-12]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice, and asynchronous copies are unordered [kpipe-async-shape]

// Rows of one dimension reach into the next: one place by two names.
__global__ void __launch_bounds__(T)
rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2][T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    (&xs[0][0])[threadIdx.x + T] = x[i + threadIdx.x];
    xs[1][threadIdx.x] = x[n + i + threadIdx.x];
    xs[0][threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[0][j] * float(threadIdx.x ^ j) + xs[1][j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: async_places.cu:[[#@LINE-11]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice, and asynchronous copies are unordered [kpipe-async-shape]

// All of these differ: rows apart, a loop's own rows, rows of an element's
// number, its transpose.
__global__ void __launch_bounds__(T)
apart(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[16][9], b[16][8], c[16][9], d[8][17];
  const int row = threadIdx.x / 8, col = threadIdx.x % 8;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    a[row][col] = x[i + threadIdx.x];
    a[row + 8][col] = x[n + i + threadIdx.x];
    for (int r = 0; r < 16; r += 8)
      b[row + r][col] = x[i + threadIdx.x];
    for (int at = threadIdx.x; at < 2 * T; at += blockDim.x)
      c[at / 8][at % 8] = x[i + at % T];
    for (int at = threadIdx.x; at < 2 * T; at += T)
      d[at & 7][at >> 3] = x[i + at % T];
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      sum += a[row][j] + a[row + 8][j] * b[j][col] + b[j + 8][col] +
             c[row + j][col] * d[col][row + j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: async_places.cu:[[#@LINE-17]]:3: remark: pipelined K-loop: 2 stages of a, b, c, d, cp.async

// A row that does not exist lies far outside; nobody reads it.
// TEXT-LABEL: {{^}}far_rows(
// TEXT: kpipe::copy_async_zfill(&xs[threadIdx.x], &a[i + threadIdx.x % 8],
// TEXT-NEXT: row < rows);
__global__ void __launch_bounds__(T)
far_rows(const float *__restrict__ A, float *__restrict__ y, int rows, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int row = blockIdx.x * 8 + threadIdx.x / 8;
  const float *a = A + row * 100000;
  for (int i = 0; i < n; i += 8) {
    xs[threadIdx.x] = row < rows ? a[i + threadIdx.x % 8] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The address is read from a table that has no such entry.
// TEXT-LABEL: {{^}}table(
// TEXT: if (row < rows)
// TEXT-NEXT: kpipe::copy_async(&xs[threadIdx.x],
// TEXT-NEXT: &A[first[row] + i + threadIdx.x % 8]);
// TEXT-NEXT: else
// TEXT-NEXT: xs[threadIdx.x] = 0.0f;
__global__ void __launch_bounds__(T)
table(const float *__restrict__ A, const int *__restrict__ first,
      float *__restrict__ y, int rows, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int row = threadIdx.x / 8 * 100000;
  for (int i = 0; i < n; i += 8) {
    xs[threadIdx.x] = row < rows ? A[first[row] + i + threadIdx.x % 8] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Division by what may be 0 says that it is not.
// TEXT-LABEL: {{^}}divided(
// TEXT: if (step != 0)
// TEXT-NEXT: kpipe::copy_async(
__global__ void __launch_bounds__(T)
divided(const float *__restrict__ A, float *__restrict__ y, int step, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = step != 0 ? A[(i + threadIdx.x) / step] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <typename Kernel> void run(Kernel kernel) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 2 * n + T), y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(twice) { run(twice); }
CASE(turns) { run(turns); }
CASE(two_loops) { run(two_loops); }
CASE(rows) { run(rows); }
CASE(apart) { run(apart); }
CASE(far_rows) {
  for (int n : multiples(8)) {
    auto A = in<float>("A", n), y = out<float>("y", T);
    launch({1, T}, far_rows, A, y, 1, n);
  }
}
CASE(table) {
  for (int n : multiples(8)) {
    auto A = in<float>("A", n), y = out<float>("y", T);
    auto first = in<int>("first", 1, [](std::size_t) { return 0; });
    launch({1, T}, table, A, first, y, 1, n);
  }
}
CASE(divided) {
  for (int step : {0, 1, 3})
    for (int n : multiples(T)) {
      auto A = in<float>("A", n), y = out<float>("y", T);
      launch({1, T}, divided, A, y, step, n);
    }
}
#endif
