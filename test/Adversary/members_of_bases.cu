// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile, found in a class or in its bases.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=4 %s

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

struct Virtual {
  const float *p;
  __device__ Virtual(const float *p) : p(p) {}
  __device__ virtual void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
struct Overrides : Virtual {
  __device__ Overrides(const float *p) : Virtual(p) {}
  __device__ void load(float (&s)[T], int k) const override {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
};
KERNEL(is_virtual) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Overrides o(x);
  const Virtual &l = o;
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Derived : Loader {
  __device__ Derived(const float *p) : Loader{p, 1, 0} {}
  // Hides that of the base.
  __device__ void load(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 3;
  }
};
KERNEL(derived_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Derived l(x);
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_the_base_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Derived l(x);
  for (int k = 0; k < n; k += T) {
    l.Loader::load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(inherited_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Derived l(x);
  for (int k = 0; k < n; k += T) {
    l.copy(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct Uses : private Loader {
  __device__ Uses(const float *p) : Loader{p, 1, 0} {}
  using Loader::load;
};
KERNEL(found_by_using) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  Uses l(x);
  for (int k = 0; k < n; k += T) {
    l.load(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
template <class E> struct Base {
  const E *p;
  __device__ void load(E (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x];
  }
};
template <class E> struct OfBase : Base<E> {
  __device__ OfBase(const E *p) : Base<E>{p} {}
  __device__ E run(int n) {
    __shared__ float xs[T];
    const int t = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += T) {
      this->load(xs, k);
      __syncthreads();
      SUM;
      __syncthreads();
    }
    return sum;
  }
};
KERNEL(of_a_template_base) {
  OfBase<float> o(x);
  y[threadIdx.x] = o.run(n);
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(is_virtual)
TILES(derived_legal)
TILES(of_the_base_legal)
TILES(inherited_legal)
TILES(found_by_using)
TILES(of_a_template_base)
#endif
