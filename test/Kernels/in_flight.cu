// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several tiles wait in registers, each in some of its own: loops of all kinds,
// helpers, one buffer and two, and numbers that wait as they were loaded.
// REQUIRES: executor
// RUN: %variants --at-least=7 --stages=3,6 %s
//
// What is written, of the kernels without these comments.
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: sed -e '/^#ifdef/,$d' -e '/^\/\//d' %s > %t/in.cu
// RUN: %kpipe rewrite %t/in.cu --arch=sm_75 --stages=3 -o %t/out.cu
// RUN: %code %t/out.cu | FileCheck %s
//
// Nothing is done twice, wherever lines are broken.
// RUN: echo 'ColumnLimit: 60' > %t/.clang-format
// RUN: %kpipe rewrite %t/in.cu --arch=sm_75 --stages=3 -o %t/out.cu
// RUN: %kpipe rewrite %t/out.cu --arch=sm_75 --stages=3 -o %t/again.cu
// RUN: diff %t/out.cu %t/again.cu

constexpr int T = 64;

// Whether there is an element depends on the tile.
__global__ void __launch_bounds__(T)
turns(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i + int(threadIdx.x) < n)
      xs[threadIdx.x] = 2 * x[i + threadIdx.x];
    else
      xs[threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}turns(
// CHECK: __shared__ float xs_stages[2][T];
// CHECK: float xs_reg[2];
// CHECK-NEXT: auto fetch_tile = [&](int i, int slot) {
// CHECK: xs_reg[slot] = 2 * x[i + threadIdx.x];
// CHECK: auto store_tile = [&](int stage, int slot) {
// CHECK-NEXT: auto &xs = xs_stages[stage];
// CHECK-NEXT: xs[threadIdx.x] = xs_reg[slot];
// CHECK: int i = 0;
// CHECK-NEXT: int i_ahead = i;
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int slot = 0; slot < 2; ++slot) {
// CHECK-NEXT:   if (i_ahead < n) {
// CHECK-NEXT:     fetch_tile(i_ahead, slot);
// CHECK-NEXT:     i_ahead += T;
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK-NEXT: int stage = 0;
// CHECK-NEXT: while (i < n) {
// CHECK-NEXT:   #pragma unroll
// CHECK-NEXT:   // kpipe: pipelined - 2 tiles are fetched ahead of the one that is computed
// CHECK-NEXT:   for (int slot = 0; slot < 2 && i < n; ++slot, i += T) {
// CHECK-NEXT:     store_tile(stage, slot);
// CHECK-NEXT:     __syncthreads();
// CHECK-NEXT:     if (i_ahead < n) {
// CHECK-NEXT:       fetch_tile(i_ahead, slot);
// CHECK-NEXT:       i_ahead += T;
// CHECK-NEXT:     }
// CHECK-NEXT:     compute_tile(stage);
// CHECK-NEXT:     stage ^= 1;
// CHECK-NEXT:   }
// CHECK-NEXT: }

// The first tile is there unasked, and two conditions end the loop.
__global__ void __launch_bounds__(T)
either(const float *__restrict__ x, float *__restrict__ y, int n, int most) {
  __shared__ float xs[T];
  float sum = 0;
  int i = 0;
  do {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
    i += T;
  } while (i < n || i < most);
  y[threadIdx.x] = sum + i;
}
// CHECK-LABEL: {{^}}either(
// CHECK: if (slot == 0 || i_ahead < n || i_ahead < most) {
// CHECK: do {
// CHECK: for (int slot = 0; slot < 2; ++slot) {
// CHECK: stage ^= 1;
// CHECK-NEXT: i += T;
// CHECK-NEXT: if (!(i < n || i < most))
// CHECK-NEXT: break;
// CHECK-NEXT: }
// CHECK-NEXT: } while (i < n || i < most);

// A clone of a helper is given one of the tiles.
template <int N>
__device__ void fill(float *to, const float *from, int t, int most) {
  for (int j = 0; j < N; ++j)
    if (j * T + t < most)
      to[j * T + t] = from[j * T + t];
    else
      to[j * T + t] = 0;
}
__global__ void __launch_bounds__(T)
by_helper(const float *__restrict__ x, const float *__restrict__ z,
          float *__restrict__ y, int n) {
  __shared__ float xs[2 * T], zs[2 * T];
  float sum = 0;
  for (int i = 0; i < n || i < 0; i += 2 * T) {
    fill<2>(xs, x + i, threadIdx.x, n - i);
    fill<2>(zs, z + i, threadIdx.x, n - i);
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * zs[j ^ 1] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}by_helper(
// CHECK: fill_tile<2> xs_tile[2];
// CHECK-NEXT: fill_tile<2> zs_tile[2];
// CHECK: fill_fetch<2>(x + i, threadIdx.x, n - i, xs_tile[slot]);
// CHECK-NEXT: fill_fetch<2>(z + i, threadIdx.x, n - i, zs_tile[slot]);
// CHECK: fill_store<2>(xs, threadIdx.x, xs_tile[slot]);
// CHECK: fetch_tile(i_ahead, slot);
// CHECK: for (int slot = 0; slot < 2 && (i < n || i < 0); ++slot, i += 2 * T) {

// The load runs ahead with a pointer of its own.
__global__ void __launch_bounds__(T)
advances(const float *x, float *__restrict__ y, int tiles) {
  __shared__ float xs[3 * T];
  float sum = 0;
  const float *from = x;
  for (int t = 0; t < tiles; ++t) {
    for (int j = 0; j < 3; ++j)
      xs[j * T + threadIdx.x] = from[j * T + threadIdx.x];
    from += 3 * T;
    __syncthreads();
    for (int j = 0; j < 3 * T; ++j)
      sum += xs[j] * float((threadIdx.x ^ j) + t);
    __syncthreads();
  }
  y[threadIdx.x] = sum + float(from - x);
}

// Its one buffer has contents that survive, and a size that is not copied.
__global__ void __launch_bounds__(T)
one_buffer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T + 1];
  float sum = 0;
  xs[T + threadIdx.x] = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}one_buffer(
// CHECK: __shared__ float xs[2 * T + 1];
// CHECK: float xs_reg[2];
// CHECK: while (i < n) {
// CHECK: store_tile(slot);
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: if (i_ahead < n) {
// CHECK: compute_tile();
// CHECK-NEXT: __syncthreads();
// CHECK-NEXT: }
// CHECK-NEXT: }

// The last tile is read after the loop, where it lies.
__global__ void __launch_bounds__(T)
read_after(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + (n ? xs[T - 1 - threadIdx.x] : 0);
}

// Bytes that become numbers: what converts them would wait for their load.
__global__ void __launch_bounds__(T)
converted(const signed char *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4][T];
  float sum = 0;
  int i = 0;
  while (i < n) {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      xs[j][threadIdx.x] = x[i + j * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[0][j] + xs[1][j] * xs[2][j] - xs[3][j]) *
             float(threadIdx.x ^ j);
    i += 4 * T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}converted(
// CHECK: signed char xs_reg[2][4];
// CHECK: xs_reg[slot][j] = x[i + j * T + threadIdx.x];
// CHECK: xs[j][threadIdx.x] = xs_reg[slot][j];

#ifdef KPIPE_HARNESS
#include "harness.h"
template <typename Kernel> void run(Kernel kernel, int tile) {
  for (int n : multiples(tile)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(turns) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, turns, x, y, n);
  }
}
CASE(either) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n ? n : T), y = out<float>("y", T);
    launch({1, T}, either, x, y, n, n - T);
  }
}
CASE(by_helper) {
  for (int n : sizes(2 * T)) {
    auto x = in<float>("x", n), z = in<float>("z", n), y = out<float>("y", T);
    launch({1, T}, by_helper, x, z, y, n);
  }
}
CASE(advances) {
  for (int n : multiples(3 * T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, advances, x, y, n / (3 * T));
  }
}
CASE(one_buffer) { run(one_buffer, T); }
CASE(read_after) { run(read_after, T); }
CASE(converted) {
  for (int n : multiples(4 * T)) {
    auto x = in<signed char>("x", n);
    auto y = out<float>("y", T);
    launch({1, T}, converted, x, y, n);
  }
}
#endif
