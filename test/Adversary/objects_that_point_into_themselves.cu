// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects with a second way to a part of their own: constructors that keep the
// address of a member, members that are declared as names of others, inherited
// constructors. The load reads what the compute of the tile before has written
// that way.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s
//
// The check of the result refuses alone what the rules refuse.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --arch=sm_86 %s -o %t.cu 2>/dev/null
// RUN: %execute --flag=-I%S %s %t.cu

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (threadIdx.x ^ j);

// The compute adds to a.s by way of the object.
struct InList {
  float s, *p;
  __device__ InList() : s(0), p(&s) {}
  __device__ void add(float v) { *p += v; }
};
BEGIN(in_list) {
  __shared__ float xs[T];
  float sum = 0;
  InList a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct InBody {
  float s, *p;
  __device__ InBody() {
    s = 0;
    p = &s;
  }
  __device__ void add(float v) { *p += v; }
};
BEGIN(in_body) {
  __shared__ float xs[T];
  float sum = 0;
  InBody a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct ByReference {
  float s, &r;
  __device__ ByReference() : s(0), r(s) {}
  __device__ void add(float v) { r += v; }
};
BEGIN(by_reference) {
  __shared__ float xs[T];
  float sum = 0;
  ByReference a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct ByMethod {
  float s, *p;
  __device__ ByMethod() : s(0) { init(); }
  __device__ void init() { p = &s; }
  __device__ void add(float v) { *p += v; }
};
BEGIN(by_method) {
  __shared__ float xs[T];
  float sum = 0;
  ByMethod a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct OfArray {
  float s[2], *p;
  __device__ OfArray() : s{0, 0}, p(s + 1) {}
  __device__ void add(float v) { *p += v; }
};
BEGIN(of_array) {
  __shared__ float xs[T];
  float sum = 0;
  OfArray a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s[1];
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct ByFunction {
  float s, *p;
  __device__ static float *at(float &f) { return &f; }
  __device__ ByFunction() : s(0), p(at(s)) {}
  __device__ void add(float v) { *p += v; }
};
BEGIN(by_function) {
  __shared__ float xs[T];
  float sum = 0;
  ByFunction a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Handle {
  float *p;
};
struct Nested {
  float s;
  Handle h;
  __device__ Nested() : s(0), h{&s} {}
  __device__ void add(float v) { *h.p += v; }
};
BEGIN(nested) {
  __shared__ float xs[T];
  float sum = 0;
  Nested a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Base {
  float *p;
  __device__ Base(float &f) : p(&f) {}
  __device__ void add(float v) { *p += v; }
};
struct Derived : Base {
  float s;
  __device__ Derived() : Base(s), s(0) {}
};
BEGIN(derived) {
  __shared__ float xs[T];
  float sum = 0;
  Derived a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Further : InList {};
BEGIN(further) {
  __shared__ float xs[T];
  float sum = 0;
  Further a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Holds {
  InList own;
  __device__ void add(float v) { own.add(v); }
};
BEGIN(holds) {
  __shared__ float xs[T];
  float sum = 0;
  Holds a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.own.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct ByDefault {
  float s = 0, *p = &s;
  __device__ void add(float v) { *p += v; }
};
BEGIN(by_default) {
  __shared__ float xs[T];
  float sum = 0;
  ByDefault a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + a.s;
    __syncthreads();
    SUM a.add(sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The object gives the shared array that the compute writes to what it holds.
struct Matrix {
  int width;
  const float *at;
};
struct Setter {
  __device__ Setter(Matrix &m, const float *to) { m.at = to; }
};
struct Inherits : Setter {
  using Setter::Setter;
};
struct Twice : Inherits {
  using Inherits::Inherits;
};
struct Names {
  Matrix own;
  Matrix &all = own;
};
struct NamesPointer {
  const float *at, *&all = at;
};
struct Sets {
  Matrix own;
  const float *to;
  int set = (own.at = to, 1);
};
BEGIN(inherited) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last{1, x};
  Inherits s(last, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(inherited_twice) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last{1, x};
  Twice s(last, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(named_by_default) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last{1, x};
  Names s{last};
  s.all.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.own.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(pointer_by_default) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last{1, x};
  NamesPointer s{x};
  s.all = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(set_by_default) {
  __shared__ float xs[T], carry[T];
  float sum = 0;
  carry[threadIdx.x] = 0;
  __syncthreads();
  Matrix last{1, x};
  Sets s{last, carry};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.own.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Neighbours: the numbers are the object's own, and the pointer is another's.
struct Plain {
  float s, scale;
  __device__ Plain() : s(1), scale(s + 1) {}
};
BEGIN(plain_legal) {
  __shared__ float xs[T];
  float sum = 0;
  Plain a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] * a.scale;
    __syncthreads();
    SUM sum += a.s;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Reader {
  const float *at;
  __device__ Reader(const float *p) : at(p) {}
};
struct SameReader : Reader {
  using Reader::Reader;
};
BEGIN(inherited_reader) {
  __shared__ float xs[T];
  float sum = 0;
  SameReader a(x);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = a.at[i + threadIdx.x];
    __syncthreads();
    SUM
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(in_list)
TILES(in_body)
TILES(by_reference)
TILES(by_method)
TILES(of_array)
TILES(by_function)
TILES(nested)
TILES(derived)
TILES(further)
TILES(holds)
TILES(by_default)
TILES(inherited)
TILES(inherited_twice)
TILES(named_by_default)
TILES(pointer_by_default)
TILES(set_by_default)
TILES(plain_legal)
TILES(inherited_reader)
#endif
