// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, of classes in odd places:
// local ones, defined outside, with friends, with names that come later.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s

constexpr int T = 64;

#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

KERNEL(of_a_local_class) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  struct Local {
    const float *p;
    __device__ void load(float (&s)[T], int k) const {
      s[threadIdx.x] = p[k + threadIdx.x];
    }
  } l{x};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Outside {
  const float *p;
  __device__ void load(float (&s)[T], int k) const;
};
__device__ void Outside::load(float (&s)[T], int k) const {
  s[threadIdx.x] = p[k + threadIdx.x];
}
KERNEL(defined_outside) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Outside l{x};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
// A friend may name what is private, and so its clones.
class Private {
  const float *p;
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
  __device__ static void twice(float (&s)[T], const float *p) {
    s[threadIdx.x] = p[threadIdx.x] + 1;
  }

public:
  __device__ Private(const float *p) : p(p) {}
  friend __global__ void friend_legal(const float *__restrict__,
                                      float *__restrict__, int);
};
KERNEL(friend_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  __shared__ float zs[T];
  Private l(x);
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    Private::twice(zs, x + k);
    __syncthreads();
    SUM *zs[j];
    __syncthreads();
  }
  y[t] = sum;
}
// What the registers' type would be made of is declared behind the member.
struct Later {
  const float *p;
  __device__ void load(float (&s)[T], int k) const {
    for (int i = threadIdx.x; i < Size; i += 64)
      s[i] = p[k + i] * 2;
  }
  static constexpr int Size = T;
};
KERNEL(later_members) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Later l{x};
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(of_a_local_class)
TILES(defined_outside)
TILES(friend_legal)
TILES(later_members)
#endif
