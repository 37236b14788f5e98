// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill one tile together, or a tile that their object
// holds.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

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
  __device__ void copy(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  // Elements that depend on the object.
  __device__ void half(float (&s)[T], const float *from) const {
    if (threadIdx.x < T / 2)
      s[threadIdx.x + shift] = from[threadIdx.x];
  }
};

KERNEL(one_tile_twice) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader a{x, 0, 0}, b{x + T, 0, 0};
  for (int k = 0; k < n; k += T) {
    a.copy(xs, k);
    b.half(xs, x + k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Holds {
  const float *p;
  float *s;
  __device__ void load(int k) const { s[threadIdx.x] = p[k + threadIdx.x]; }
};
KERNEL(holds_the_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Holds l{x, xs};
  for (int k = 0; k < n; k += T) {
    l.load(k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(holds_the_tile_by_halves) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Holds l{x, xs};
  Loader m{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.load(k);
    m.half(xs, x + k + 1);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct HoldsReference {
  const float *p;
  float (&s)[T];
  __device__ void operator()(int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
KERNEL(refers_to_the_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  HoldsReference l{x, xs};
  for (int k = 0; k < n; k += T) {
    l(k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

// Two tiles by one member, and one of them by another.
struct L {
  const float *p;
  int sh;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + sh;
  }
  __device__ void two(float (&s)[T], float (&u)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
    u[threadIdx.x] = p[k + threadIdx.x] * sh;
  }
};
KERNEL(two_tiles_legal) {
  __shared__ float xs[T], us[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 2};
  for (int k = 0; k < n; k += T) {
    l.two(xs, us, k);
    __syncthreads();
    SUM + us[j];
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(swapped_tiles_legal) {
  __shared__ float xs[T], us[T];
  const int t = threadIdx.x;
  float sum = 0;
  L l{x, 2}, m{x + T, 3};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    m.load(us, k);
    l.two(us, xs, k);
    __syncthreads();
    SUM + us[j];
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(one_tile_twice)
TILES(holds_the_tile)
TILES(holds_the_tile_by_halves)
TILES(refers_to_the_tile)
TILES(two_tiles_legal)
TILES(swapped_tiles_legal)
#endif
