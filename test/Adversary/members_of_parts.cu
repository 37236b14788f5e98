// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functors that fill the tile: parts of objects, by pointers, in arrays.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=3 %s

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct F {
  const float *p;
  __device__ void operator()(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
};
struct H {
  F f, g;
};
KERNEL(explicit_operator_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F f{x};
  for (int k = 0; k < n; k += T) {
    f.operator()(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_pointer_to_functor) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F f{x};
  const F *q = &f;
  for (int k = 0; k < n; k += T) {
    (*q)(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_nested_legal) {
  __shared__ float xs[T], us[T];
  const int t = threadIdx.x;
  float sum = 0;
  H h{{x}, {x + T}};
  for (int k = 0; k < n; k += T) {
    h.f(xs, k);
    h.g(us, k);
    __syncthreads();
    SUM - us[j];
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(assigned_nested) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  H h{{x}, {x + T}};
  for (int k = 0; k < n; k += T) {
    h.f(xs, k);
    __syncthreads();
    SUM;
    h.f = h.g;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(changed_other_part) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  H h{{x}, {x + T}};
  for (int k = 0; k < n; k += T) {
    h.f(xs, k);
    __syncthreads();
    SUM;
    h.g.p += 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(commented_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F f{x};
  for (int k = 0; k < n; k += T) {
    f /* the functor */ (xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(object_counts_alone) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F fs[2] = {{x}, {x + T}};
  int c = 0;
  for (int k = 0; k < n; k += T) {
    fs[c++ & 1](xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum + c;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(explicit_operator_legal)
TILES(of_pointer_to_functor)
TILES(of_nested_legal)
TILES(assigned_nested)
TILES(changed_other_part)
TILES(commented_legal)
TILES(object_counts_alone)
#endif
