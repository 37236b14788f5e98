// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, and a loop that changes their object or
// what it reads, by whatever name.
// REQUIRES: executor
// RUN: %variants --ways=few %s

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
};

KERNEL(shifted_by_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(shifted_by_reference) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  Loader &m = l;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    m.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(shifted_by_pointer) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  int *p = &l.shift;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    *p ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(called_by_reference) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  const Loader &m = l;
  for (int k = 0; k < n; k += T) {
    m.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(replaced_by_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0}, other{x + T, 1, 0};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    l = other;
    __syncthreads();
  }
  y[t] = sum;
}
__device__ float aliased_members(const Loader &l, int &shift, float *y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    shift ^= 1;
    __syncthreads();
  }
  return sum;
}
KERNEL(aliased) {
  Loader l{x, 0, 0};
  y[threadIdx.x] = aliased_members(l, l.shift, y, n);
}
KERNEL(in_shared_memory) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  __shared__ Loader l;
  if (t == 0)
    l.p = x, l.shift = 0;
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    if (t == 0)
      l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(in_the_header) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  struct {
    Loader l;
    int k;
  } s{{x, 0, 0}, 0};
  for (s.l.shift = 0; s.l.shift < n; s.l.shift += T) {
    s.l.load(xs, 0);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
// An object in memory that the loop writes.
KERNEL(reads_what_compute_writes) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{y, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.copy(xs, 0);
    __syncthreads();
    SUM;
    __syncthreads();
    y[t] = sum + x[k + t];
    __syncthreads();
  }
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(shifted_by_compute)
TILES(shifted_by_reference)
TILES(shifted_by_pointer)
TILES(called_by_reference)
TILES(replaced_by_compute)
TILES(aliased)
TILES(in_shared_memory)
TILES(in_the_header)
UPDATES(reads_what_compute_writes)
#endif
