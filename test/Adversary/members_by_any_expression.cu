// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of member functions that fill the tile, on whatever expression and in
// macros, and what the expression changes.
// REQUIRES: executor
// RUN: %variants --ways=few %s

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define LOAD(o, s, k) o.load(s, k)
#define CALL load
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct L {
  const float *p;
  int sh;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + sh;
  }
  __device__ const L &self() const { return *this; }
  __device__ L &bump() {
    ++sh;
    return *this;
  }
  template <class F> __device__ void with(float (&s)[T], int k, F f) const {
    s[threadIdx.x] = f(p[k + threadIdx.x]);
  }
};

KERNEL(in_macro) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  for (int k = 0; k < n; k += T) {
    LOAD(l, xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(name_in_macro) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  for (int k = 0; k < n; k += T) {
    l.CALL(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_self) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  for (int k = 0; k < n; k += T) {
    l.self().load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_bump) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  for (int k = 0; k < n; k += T) {
    l.bump().load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum + l.sh;
}
KERNEL(pointer_to_self) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  L *q = &l;
  for (int k = 0; k < n; k += T) {
    q->load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(paren) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  const L *q = &l;
  for (int k = 0; k < n; k += T) {
    (*q).load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(with_closure) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  for (int k = 0; k < n; k += T) {
    l.with(xs, k, [=](float v) { return v * t; });
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(by_memfn) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 1};
  auto f = &L::load;
  for (int k = 0; k < n; k += T) {
    (l.*f)(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(in_macro)
TILES(name_in_macro)
TILES(by_self)
TILES(by_bump)
TILES(pointer_to_self)
TILES(paren)
TILES(with_closure)
TILES(by_memfn)
#endif
