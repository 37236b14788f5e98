// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of whole numbers that a tile gets besides loaded ones: zeros and other
// values made on the spot are no addresses, wide as they are.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK-COUNT-3: remark: pipelined K-loop: 2 stages

#include <cuda_runtime.h>

constexpr int T = 64;

// Zeros in the other arm.
__global__ void zeros(const uint4 *__restrict__ x, unsigned *__restrict__ y, int n) {
  __shared__ uint4 xs[T];
  unsigned sum = 0;
  for (int t = 0; t < n; t += T) {
    if (t + threadIdx.x < n)
      xs[threadIdx.x] = x[t + threadIdx.x];
    else
      xs[threadIdx.x] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum = sum * 3 + xs[j].x * xs[T - 1 - j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A vector that is put together, behind a view of halves.
__global__ void put_together(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int4 xs[T / 4];
  int sum = 0;
  for (int t = 0; t < n; t += T) {
    if (threadIdx.x < T / 4) {
      const int *from = x + t + 4 * threadIdx.x;
      if (t + 4 * threadIdx.x + 3 < n)
        xs[threadIdx.x] = make_int4(from[0], from[1] + 1, from[2], from[3] - 1);
      else
        xs[threadIdx.x] = int4{-1, -1, -1, -1};
    }
    __syncthreads();
    for (int j = 0; j < T / 4; ++j) {
      int4 v;
      v = xs[j];
      sum = sum * 3 + (v.x ^ v.y) + (v.z ^ v.w) * threadIdx.x;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through a pointer of another type, with a local vector between.
__global__ void through_view(const short *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ __align__(16) short xs[8 * T];
  int sum = 0;
  for (int t = 0; t < n; t += T) {
    uint4 v = make_uint4(0, 0, 0, 0);
    if (t + threadIdx.x < n)
      v = *reinterpret_cast<const uint4 *>(x + 8 * (t + threadIdx.x));
    *reinterpret_cast<uint4 *>(xs + 8 * threadIdx.x) = v;
    __syncthreads();
    for (int j = 0; j < 8 * T; ++j)
      sum = sum * 3 + xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static const int Lengths[] = {1, 30, 64, 65, 150, 192};

CASE(fills_zeros) {
  for (int n : Lengths) {
    auto x = in<unsigned>("x", 4 * n), y = out<unsigned>("y", T);
    launch({1, T}, zeros, reinterpret_cast<const uint4 *>((const unsigned *)x), y, n);
  }
}
CASE(fills_put_together) {
  for (int n : Lengths) {
    auto x = in<int>("x", n), y = out<int>("y", T);
    launch({1, T}, put_together, x, y, n);
  }
}
CASE(fills_through_view) {
  for (int n : Lengths) {
    auto x = in<short>("x", 8 * n);
    auto y = out<int>("y", T);
    launch({1, T}, through_view, x, y, n);
  }
}
#endif
