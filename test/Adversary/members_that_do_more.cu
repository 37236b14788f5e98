// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, as those of Kernels/member_helpers.cu
// do, and do something more: they read it, change their object, wait, return or
// call.
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
  __device__ void copy(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void smooth(float (&s)[T], int k) const {
    s[threadIdx.x] = s[threadIdx.x] * 0.5f + p[k + threadIdx.x];
  }
  __device__ void counted(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + shift;
    ++calls;
  }
  __device__ void unconst(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + shift;
    const_cast<Loader *>(this)->shift ^= 1;
  }
  __device__ void stepping(float (&s)[T]) {
    s[threadIdx.x] = p[threadIdx.x];
    p += T;
  }
  __device__ void next(float (&s)[T]) {
    s[threadIdx.x] = p[threadIdx.x] + shift;
    ++shift;
  }
  __device__ void synced(float (&s)[T], int k) const {
    if (shift)
      __syncthreads();
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void early(float (&s)[T], int k) const {
    if (shift)
      return;
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void deep(float (&s)[T], int k) const { copy(s, k); }
  __device__ void again(float (&s)[T], int k, int times = 1) const {
    if (times)
      again(s, k, times - 1);
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ void where(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + (__LINE__ - __LINE__);
  }
};

KERNEL(reads_the_tile) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.smooth(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(counts_for_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.counted(xs, k);
    __syncthreads();
    SUM *l.calls;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(unconst) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.unconst(xs, k);
    __syncthreads();
    SUM + l.shift;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(next_for_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.next(xs);
    __syncthreads();
    SUM + l.shift;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(steps) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.stepping(xs);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(stepped_by_compute) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.copy(xs, 0);
    __syncthreads();
    SUM;
    l.p += T;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(synced) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, n > 2 * T, 0};
  for (int k = 0; k < n; k += T) {
    l.synced(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(leaves_early) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = 0;
  __syncthreads();
  Loader l{x, t & 1, 0};
  for (int k = 0; k < n; k += T) {
    l.early(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(deep) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.deep(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(recursive) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.again(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(line_of_the_member) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Loader l{x, 0, 0};
  for (int k = 0; k < n; k += T) {
    l.where(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(reads_the_tile)
TILES(counts_for_compute)
TILES(unconst)
TILES(next_for_compute)
TILES(steps)
TILES(stepped_by_compute)
TILES(synced)
TILES(leaves_early)
TILES(deep)
TILES(recursive)
TILES(line_of_the_member)
#endif
