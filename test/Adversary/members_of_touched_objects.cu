// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, with objects that somebody else touches.
// REQUIRES: executor
// RUN: %variants --ways=few %s

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct L {
  const float *p;
  int sh;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + sh;
  }
};

KERNEL(pointer_changed) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  L *q = &l;
  for (int k = 0; k < n; k += T) {
    q->load(xs, k);
    __syncthreads();
    SUM;
    l.sh ^= 1;
    sum += q->sh;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(address_given) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  L *a[1] = {&l};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    a[0]->sh ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
__device__ void touch(L &l) { l.sh ^= 1; }
KERNEL(touched) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    touch(l);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(touched_between) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  for (int k = 0; k < n; k += T) {
    touch(l);
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_operator_name) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  struct {
    int a;
  } z{3};
  L l{x, z.a};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    ++z.a;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(guarded_object) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  xs[t] = 0;
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (l.sh + (k & T))
      l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(pointer_changed)
TILES(address_given)
TILES(touched)
TILES(touched_between)
TILES(by_operator_name)
TILES(guarded_object)
#endif
