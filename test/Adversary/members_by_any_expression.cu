// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of member functions that fill the tile: on whatever expression, and
// what that changes; of parts of objects; in macros; with objects that others
// touch.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * (1 + ((j ^ t) & 3))

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
  __device__ const L &self() const { return *this; }
  __device__ L &bump() {
    ++sh;
    return *this;
  }
  template <class F> __device__ void with(float (&s)[T], int k, F f) const {
    s[threadIdx.x] = f(p[k + threadIdx.x]);
  }
};
#define LOAD(o, s, k) o.load(s, k)
#define CALL load
#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)
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
struct F {
  const float *p;
  __device__ void operator()(float (&s)[T], int k) const {
    s[threadIdx.x] = p[k + threadIdx.x] * 2;
  }
};
struct H {
  F f, g;
};
KERNEL(explicit_operator_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F f{x};
  for (int k = 0; k < n; k += T) {
    f.operator()(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_pointer_to_functor) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F f{x};
  const F *q = &f;
  for (int k = 0; k < n; k += T) {
    (*q)(xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(of_nested_legal) {
  __shared__ float xs[T], us[T];
  const int t = threadIdx.x;
  float sum = 0;
  H h{{x}, {x + T}};
  for (int k = 0; k < n; k += T) {
    h.f(xs, k);
    h.g(us, k);
    __syncthreads();
    SUM - us[j];
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(assigned_nested) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  H h{{x}, {x + T}};
  for (int k = 0; k < n; k += T) {
    h.f(xs, k);
    __syncthreads();
    SUM;
    h.f = h.g;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(changed_other_part) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  H h{{x}, {x + T}};
  for (int k = 0; k < n; k += T) {
    h.f(xs, k);
    __syncthreads();
    SUM;
    h.g.p += 1;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(commented_legal) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F f{x};
  for (int k = 0; k < n; k += T) {
    f /* the functor */ (xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum;
}
struct S {
  static __device__ void fill(float (&s)[T], const float *p) {
    s[threadIdx.x] = p[threadIdx.x];
  }
  static __device__ void acc(float (&s)[T], const float *p) {
    static __shared__ int c;
    s[threadIdx.x] = p[threadIdx.x];
    if (threadIdx.x == 0)
      c = 1;
  }
  static __device__ int count;
};
KERNEL(static_by_expr) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  S ss[2];
  int c = 0;
  for (int k = 0; k < n; k += T) {
    ss[c++ & 1].fill(xs, x + k);
    __syncthreads();
    SUM + c;
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(static_counts_alone) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  S ss[2];
  int c = 0;
  for (int k = 0; k < n; k += T) {
    ss[c++ & 1].fill(xs, x + k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum + c;
}
KERNEL(object_counts_alone) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  F fs[2] = {{x}, {x + T}};
  int c = 0;
  for (int k = 0; k < n; k += T) {
    fs[c++ & 1](xs, k);
    __syncthreads();
    SUM;
    __syncthreads();
  }
  y[t] = sum + c;
}
KERNEL(static_with_static) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    S::acc(xs, x + k);
    __syncthreads();
    SUM;
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
TILES(in_macro)
TILES(name_in_macro)
TILES(by_self)
TILES(by_bump)
TILES(pointer_to_self)
TILES(pointer_changed)
TILES(paren)
TILES(with_closure)
TILES(two_tiles_legal)
TILES(swapped_tiles_legal)
TILES(address_given)
TILES(touched)
TILES(touched_between)
TILES(by_memfn)
TILES(by_operator_name)
TILES(explicit_operator_legal)
TILES(of_pointer_to_functor)
TILES(of_nested_legal)
TILES(assigned_nested)
TILES(changed_other_part)
TILES(commented_legal)
TILES(static_by_expr)
TILES(static_with_static)
TILES(static_counts_alone)
TILES(object_counts_alone)
TILES(guarded_object)
#endif
