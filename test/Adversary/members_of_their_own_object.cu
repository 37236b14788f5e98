// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile with what their object leads to: itself,
// in a member that runs the loop, or what its pointers and references name.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

struct Own {
  const float *p;
  int shift;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + shift;
  }
  __device__ float run(int n) {
    __shared__ float xs[T];
    const int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
      load(xs, k);
      __syncthreads();
      SUM;
      shift ^= 1;
      __syncthreads();
    }
    return sum;
  }
  __device__ float run_legal(int n) {
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
};
KERNEL(own_object) {
  Own o{x, 0};
  y[threadIdx.x] = o.run(n);
}
KERNEL(own_object_legal) {
  Own o{x, 2};
  y[threadIdx.x] = o.run_legal(n);
}
struct Points {
  const float *p;
  int shift;
  const int *by;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + *by;
  }
};
KERNEL(points_into_itself) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Points l{x, 0, nullptr};
  l.by = &l.shift;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    l.shift ^= 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(points_to_a_variable) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int shift = 0;
  Points l{x, 0, &shift};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    ++shift;
    __syncthreads();
  }
  y[t] = sum;
}
struct Refers {
  const float *p;
  const int &by;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] + by;
  }
};
KERNEL(refers_to_a_variable) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int shift = 0;
  Refers l{x, shift};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    ++shift;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(own_object)
TILES(own_object_legal)
TILES(points_into_itself)
TILES(points_to_a_variable)
TILES(refers_to_a_variable)
#endif
