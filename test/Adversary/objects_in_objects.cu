// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that keep the address of their own parts, made inside other objects
// and arrays, by no constructor that the kernel names. The compute adds to a
// part by that address; the load of the next tile reads it. The source is read
// by
// __ldg, so that a store which cannot be traced is no alias of it.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s
//
// The check of the result refuses alone what the rules refuse.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --arch=sm_86 %s -o %t.cu
// 2>/dev/null RUN: %execute --flag=-I%S %s %t.cu

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define START                                                                  \
  __shared__ float xs[T];                                                      \
  float sum = 0;
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * ((j ^ threadIdx.x) & 7);

struct Own {
  float s, *p;
  __device__ Own() : s(0) {
    float &f = s;
    p = &f;
  }
};
struct Box {
  Own a;
};
struct Boxes {
  Own a[2];
};
struct BoxOfBox {
  float pad;
  Box b;
  float w = 1;
};
template <class V> struct Any {
  V v;
};
struct Child : Own {};
struct Further : Own {
  using Own::Own;
  float z = 0;
};
struct OfTemplate {
  float s, *p;
  template <class U> __device__ OfTemplate(U u) : s(u), p(&s) {}
};
struct Holder {
  OfTemplate a{0};
};
struct ByStep {
  float s, *p;
  __device__ ByStep() {
    s = -1;
    p = &++s;
  }
};
struct ByResult {
  float s, *p;
  __device__ ByResult() : p(&(s = 0)) {}
};
struct ByChoice {
  float s, r, *p;
  __device__ ByChoice(bool b = true) : s(0), r(0) {
    float &f = b ? s : r;
    p = &f;
  }
};
struct ByRange {
  float s[2], *p;
  __device__ ByRange() {
    for (float &f : s) {
      f = 0;
      p = &f;
    }
  }
};
struct Inner {
  float *p;
  __device__ Inner(float &f) : p(&f) {}
};
struct Outer {
  float s;
  Inner i;
  __device__ Outer() : s(0), i(s) {}
};
struct InOuter {
  Outer o;
};
__device__ Box made() { return {}; }

BEGIN(box) {
  START
  Box b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    SUM *b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(box_list) {
  START
  Box b{};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    SUM *b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(box_value) {
  START
  Box b = Box();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    SUM *b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(box_made) {
  START
  Box b = made();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    SUM *b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(box_bound) {
  START
  const Box &b = Box();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    SUM *b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(boxes) {
  START
  Boxes b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a[1].s;
    __syncthreads();
    SUM *b.a[1].p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(boxes_list) {
  START
  Boxes b{};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a[1].s;
    __syncthreads();
    SUM *b.a[1].p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(box_of_box) {
  START
  BoxOfBox b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.b.a.s;
    __syncthreads();
    SUM *b.b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_any) {
  START
  Any<Own> b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.v.s;
    __syncthreads();
    SUM *b.v.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_any_list) {
  START
  Any<OfTemplate> b{1};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.v.s;
    __syncthreads();
    SUM *b.v.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(child) {
  START
  Child b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.s;
    __syncthreads();
    SUM *b.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(further) {
  START
  Further b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.s;
    __syncthreads();
    SUM *b.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_template) {
  START
  Holder b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    SUM *b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(of_template_list) {
  START
  Holder b{0};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    SUM *b.a.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(elements) {
  START
  Own b[2];
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b[1].s;
    __syncthreads();
    SUM *b[1].p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(elements_list) {
  START
  OfTemplate b[1] = {0};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b[0].s;
    __syncthreads();
    SUM *b[0].p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(by_step) {
  START
  ByStep b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.s;
    __syncthreads();
    SUM *b.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(by_result) {
  START
  ByResult b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.s;
    __syncthreads();
    SUM *b.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(by_choice) {
  START
  ByChoice b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.s;
    __syncthreads();
    SUM *b.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(by_range) {
  START
  ByRange b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.s[1];
    __syncthreads();
    SUM *b.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(in_outer) {
  START
  InOuter b;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.o.s;
    __syncthreads();
    SUM *b.o.i.p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(taken_apart) {
  START
  auto [s, p] = Own();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + s;
    __syncthreads();
    SUM *p += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A member function's own object.
struct Runs {
  Own a;
  __device__ float run(const float *__restrict__ x, int n);
};
__device__ float Runs::run(const float *__restrict__ x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + a.s;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((j ^ threadIdx.x) & 7);
    *a.p += sum;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    member(const float *__restrict__ x, float *__restrict__ y, int n) {
  Runs r;
  y[threadIdx.x] = r.run(x, n);
}
// A parameter.
__device__ float given(Box b, const float *__restrict__ x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a.s;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((j ^ threadIdx.x) & 7);
    *b.a.p += sum;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
    parameter(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = given(Box(), x, n);
}
// The condition reads it.
__global__ void __launch_bounds__(T)
    condition(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Box b;
  for (int i = 0; i + b.a.s < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((j ^ threadIdx.x) & 7);
    *b.a.p += 17;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Neighbours: nothing knows the number that the load reads.
struct Plain {
  float s, t, *p;
  __device__ Plain() : s(0), t(0), p(nullptr) {}
};
struct PlainBox {
  Plain a[2];
};
BEGIN(plain_legal) {
  START
  PlainBox b;
  float o = 0;
  float *ps[1] = {&o};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(&x[i + threadIdx.x]) + b.a[1].s;
    __syncthreads();
    SUM *ps[0] += sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(box)
TILES(box_list)
TILES(box_value)
TILES(box_made)
TILES(box_bound)
TILES(boxes)
TILES(boxes_list)
TILES(box_of_box)
TILES(of_any)
TILES(of_any_list)
TILES(child)
TILES(further)
TILES(of_template)
TILES(of_template_list)
TILES(elements)
TILES(elements_list)
TILES(by_step)
TILES(by_result)
TILES(by_choice)
TILES(by_range)
TILES(in_outer)
TILES(taken_apart)
TILES(member)
TILES(parameter)
TILES(condition)
TILES(plain_legal)
#endif
