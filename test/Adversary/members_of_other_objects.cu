// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, called on another object for another
// tile.
// REQUIRES: executor
// RUN: %variants --ways=few --at-least=5 %s

constexpr int T = 64;

#define SUM_OF(N)                                                              \
  for (int j = 0; j < (N); ++j)                                                \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct Loader {
  const float *p;
  int shift;
  mutable int calls;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * (shift + 1);
  }
  // Elements that depend on the object.
  __device__ void half(float (&s)[T], const float *from) const {
    if (threadIdx.x < T / 2)
      s[threadIdx.x + shift] = from[threadIdx.x];
  }
};

KERNEL(of_an_array) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader ls[2] = {{x, 0, 0}, {x, T / 2, 0}};
  for (int k = 0; k < n; k += T) {
    ls[k / T & 1].half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_choice) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  for (int k = 0; k < n; k += T) {
    (k & T ? b : a).half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_pointer) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  for (int k = 0; k < n; k += T) {
    const Loader *l = k & T ? &b : &a;
    l->half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_reference) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  for (int k = 0; k < n; k += T) {
    const Loader &l = k & T ? b : a;
    l.half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_pointers_that_change_places) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader a{x, 0, 0}, b{x, T / 2, 0};
  const Loader *l = &a, *m = &b;
  for (int k = 0; k < n; k += T) {
    l->half(xs, x + k);
    __syncthreads();
    SUM_OF(k ? T : T / 2);
    const Loader *o = l;
    l = m;
    m = o;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_each_run) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int r = 0; r < 3; ++r) {
    Loader l{x, r & 1 ? T / 2 : 0, 0};
    for (int k = 0; k < n; k += T) {
      l.half(xs, x + k);
      __syncthreads();
      SUM_OF(r ? T : T / 2);
      __syncthreads();
    }
  }
  y[t] = sum;
}
KERNEL(counts_in_the_object) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader ls[2] = {{x, 0, 0}, {x, 3, 0}};
  int c = 0;
  for (int k = 0; k < n; k += T) {
    ls[c++ & 1].load(xs, k);
    __syncthreads();
    SUM + c;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(made_in_the_loop) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    Loader l{x + k, 2, 0};
    l.load(xs, 0);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(copied_in_the_loop) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    Loader m = l;
    m.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_a_temporary) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int shift = 0;
  for (int k = 0; k < n; k += T) {
    Loader{x, shift, 0}.load(xs, k);
    __syncthreads();
    SUM;
    ++shift;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(of_an_array)
TILES(of_a_choice)
TILES(of_a_pointer)
TILES(of_a_reference)
TILES(of_pointers_that_change_places)
TILES(of_each_run)
TILES(counts_in_the_object)
TILES(made_in_the_loop)
TILES(copied_in_the_loop)
TILES(of_a_temporary)
#endif
