// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static member functions that fill the tile, called on objects.
// REQUIRES: executor
// RUN: %variants --ways=few %s

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct S {
  static __device__ void fill(float (&s)[T], const float *p) {
    s[threadIdx.x] = p[threadIdx.x];
  }
  static __device__ void acc(float (&s)[T], const float *p) {
    static __shared__ int c;
    s[threadIdx.x] = p[threadIdx.x];
    if (threadIdx.x == 0)
      c = 1;
  }
  static __device__ int count;
};
KERNEL(static_by_expr) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  S ss[2];
  int c = 0;
  for (int k = 0; k < n; k += T) {
    ss[c++ & 1].fill(xs, x + k);
    __syncthreads();
    SUM + c;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(static_counts_alone) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  S ss[2];
  int c = 0;
  for (int k = 0; k < n; k += T) {
    ss[c++ & 1].fill(xs, x + k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum + c;
}
KERNEL(static_with_static) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    S::acc(xs, x + k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(static_by_expr)
TILES(static_with_static)
TILES(static_counts_alone)
#endif
