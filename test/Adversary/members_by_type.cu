// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, chosen by types: overloads,
// specializations, functors and closures.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct Overloads {
  const float *p;
  __device__ void load(float *s, long k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void load(float *s, int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
  __device__ void load(float *s, int k) {
    s[threadIdx.x] = p[k + threadIdx.x] * 3;
  }
};
KERNEL(overloads_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  const Overloads l{x};
  Overloads m{x};
  __shared__ float zs[T], us[T];
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    m.load(zs, k);
    l.load(us, long(k));
    __syncthreads();
    SUM + zs[j] - us[j ^ 1];
    __syncthreads();
  }
  y[t] = sum;
}
template <class E, class Twice> struct Scaled {
  static __device__ void copy(E *s, const E *p) {
    s[threadIdx.x] = p[threadIdx.x];
  }
};
template <class E> struct Scaled<E, int> {
  static __device__ void copy(E *s, const E *p) {
    s[threadIdx.x] = p[threadIdx.x] * 2;
  }
};
template <class W> __device__ float specialized(const float *x, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    Scaled<float, W>::copy(xs, x + k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  return sum;
}
KERNEL(of_specializations) {
  y[threadIdx.x] = specialized<int>(x, n) - specialized<float>(x, n);
}
struct Plain {
  const float *p;
  __device__ void operator()(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
struct Doubled {
  const float *p;
  __device__ void operator()(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
};
template <class F> __device__ float functor(F load, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  return sum;
}
KERNEL(of_two_functors) {
  y[threadIdx.x] = functor(Plain{x}, n) + functor(Doubled{x}, n);
}
template <class F> __device__ float functor_of_closures(F load, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  return sum;
}
KERNEL(of_a_closure) {
  int by = 3;
  y[threadIdx.x] = functor_of_closures(
      [=](float (&s)[T], int k) { s[threadIdx.x] = x[k + threadIdx.x] * by; },
      n);
}
KERNEL(of_a_closure_that_refers) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int by = 3;
  auto load = [&](float (&s)[T], int k) { s[t] = x[k + t] * by; };
  for (int k = 0; k < n; k += T) {
    load(xs, k);
    __syncthreads();
    SUM;
    ++by;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(overloads_legal)
TILES(of_specializations)
TILES(of_two_functors)
TILES(of_a_closure)
TILES(of_a_closure_that_refers)
#endif
