// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer in an object is given another value by the name that a second
// object has for the first one: a reference member, however it was bound. Each
// load then reads what the compute of the tile before has written.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c 'remark: pipelined' | grep -x 2
// The validators know it by themselves.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c 'remark: pipelined' | grep -x 2

constexpr int T = 64;

struct Matrix {
  int width;
  const float *at;
};
struct Both {
  Matrix first;
};
struct View {
  const Matrix &of;
  __device__ float get(int i) const { return of.at[i]; }
};

struct Reader {
  Matrix &m;
  const int scale;
  __device__ float get(int i) const { return scale * m.at[i]; }
};

struct Handle {
  Matrix &m;
  __device__ void turn(const float *to) const { m.at = to; }
  __device__ Matrix &get() const { return m; }
  __device__ operator Matrix &() const { return m; }
  __device__ const float **slot() const { return &m.at; }
  template <class P> __device__ const Handle &operator<<(P to) const {
    return m.at = to, *this;
  }
};
struct Outer {
  const Handle &h;
};
struct Derived : Handle {
  __device__ Derived(Matrix &m) : Handle{m} {}
};
struct InBody {
  Matrix &m;
  __device__ InBody(Matrix &m, const float *to) : m(m) { this->m.at = to; }
};
struct InList {
  Matrix &m;
  int n;
  __device__ InList(Matrix &x, const float *to) : m(x), n((m.at = to, 1)) {}
};
struct OfParameter {
  int n;
  __device__ OfParameter(Matrix &m, const float *to) : n((m.at = to, 1)) {}
};
struct Delegates {
  Matrix &m;
  __device__ Delegates(Matrix &m) : m(m) {}
  __device__ Delegates(Matrix &m, const float *to) : Delegates(m) { set(to); }
  __device__ void set(const float *to) { (*this).m.at = to; }
};
struct Swap {
  Matrix &a, &b;
  __device__ void go() const {
    Matrix t = a;
    a = b;
    b = t;
  }
};
struct Pointer {
  const float *&p;
};
struct Moved {
  Matrix &&m;
};
struct Parts {
  Handle first, second;
};
struct Holder {
  Matrix own;
  Handle h;
  __device__ Holder(const Matrix &m) : own(m), h{own} {}
};
__device__ void put(Matrix &m, const float *to) { m.at = to; }
__device__ void put_both(const Parts &p, const float *to) {
  put(p.second.m, to);
}
__device__ Handle handle(Matrix &m) { return {m}; }
__device__ const Handle &same(const Handle &h) { return h; }

#define PARAMETERS Matrix x, Matrix z, float *__restrict__ y, int n
#define BEGIN                                                                  \
  float sum = 0;                                                               \
  carry[threadIdx.x] = 0;                                                      \
  __syncthreads();                                                             \
  Matrix last = z;
#define SUM                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (threadIdx.x ^ j);

__global__ void __launch_bounds__(T) nothing_given_legal(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  View view{last};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + view.get(threadIdx.x ^ 1);
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) read_legal(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Reader r{last, 1};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + r.get(threadIdx.x ^ 1);
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) refers_to_tile(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  last.at = carry;
  View view{last};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + view.get(threadIdx.x ^ 1);
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) given_later(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  View view{last};
  last.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + view.get(threadIdx.x ^ 1);
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_method(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  h.turn(carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_temporary(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle{last}.turn(carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_member(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  h.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) as_a_whole(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  h.m = {T, carry};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_returned(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  h.get().at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_conversion(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  Matrix &r = h;
  r.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_slot(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  *h.slot() = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_shift(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  h << static_cast<const float *>(carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_argument(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  put(h.m, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_object_handed(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  put(h, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_made_elsewhere(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  handle(last).m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_returned_object(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  same(h).m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_closure(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  auto set = [&] { h.m.at = carry; };
  set();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_copied_closure(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  [h](const float *to) { h.m.at = to; }(carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_outer(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  Outer o{h};
  o.h.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_base(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Derived d(last);
  d.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_body(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  InBody b(last, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_list(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  InList l(last, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_parameter(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  OfParameter p(last, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_delegate(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Delegates d(last, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_swap(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix tile = {T, carry};
  Swap{last, tile}.go();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_pointer(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Pointer p{last.at};
  p.p = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_moved(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Moved m{static_cast<Matrix &&>(last)};
  m.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_part(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Parts p = {{x}, {last}};
  put_both(p, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_copy(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  Handle other = h;
  other.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_choice(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix o = z;
  Handle h{n < 0 ? o : last};
  h.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_cast(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  const_cast<const float *&>(h.m.at) = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix &r = last;
  r.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_of_alias(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix &r = last;
  Matrix &q = r;
  q = Matrix{T, carry};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_handed(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix &r = last;
  put(r, carry);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_of_handle(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  const Handle &g = h;
  g.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_bound(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix &r = last;
  Handle h{r};
  h.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_captured(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix &r = last;
  [&] { r.at = carry; }();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_of_pointer(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  const float *&p = last.at;
  p = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_of_cast(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  auto &r = reinterpret_cast<Both &>(last);
  r.first.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_alias_pointed(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix &r = last;
  Matrix *p = &r;
  p->at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) by_address(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Handle h{last};
  Matrix *p = &h.m;
  p->at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + last.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) own_part(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Holder h(z);
  h.h.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + h.own.at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) of_array(PARAMETERS) {
  __shared__ float xs[T], carry[T];
  BEGIN
  Matrix all[2] = {z, z};
  Handle h{all[1]};
  h.m.at = carry;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + all[1].at[threadIdx.x ^ 1];
    __syncthreads();
    SUM carry[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "../Kernels/harness.h"
using namespace harness;
template <typename Kernel> static void matrices(Kernel kernel) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, kernel, Matrix{T, x}, Matrix{T, z}, y, n);
  }
}
CASE(nothing_given_legal) { matrices(nothing_given_legal); }
CASE(read_legal) { matrices(read_legal); }
CASE(refers_to_tile) { matrices(refers_to_tile); }
CASE(given_later) { matrices(given_later); }
CASE(by_method) { matrices(by_method); }
CASE(by_temporary) { matrices(by_temporary); }
CASE(by_member) { matrices(by_member); }
CASE(as_a_whole) { matrices(as_a_whole); }
CASE(by_returned) { matrices(by_returned); }
CASE(by_conversion) { matrices(by_conversion); }
CASE(by_slot) { matrices(by_slot); }
CASE(by_shift) { matrices(by_shift); }
CASE(by_argument) { matrices(by_argument); }
CASE(by_object_handed) { matrices(by_object_handed); }
CASE(by_made_elsewhere) { matrices(by_made_elsewhere); }
CASE(by_returned_object) { matrices(by_returned_object); }
CASE(by_closure) { matrices(by_closure); }
CASE(by_copied_closure) { matrices(by_copied_closure); }
CASE(by_outer) { matrices(by_outer); }
CASE(by_base) { matrices(by_base); }
CASE(by_body) { matrices(by_body); }
CASE(by_list) { matrices(by_list); }
CASE(by_parameter) { matrices(by_parameter); }
CASE(by_delegate) { matrices(by_delegate); }
CASE(by_swap) { matrices(by_swap); }
CASE(by_pointer) { matrices(by_pointer); }
CASE(by_moved) { matrices(by_moved); }
CASE(by_part) { matrices(by_part); }
CASE(by_copy) { matrices(by_copy); }
CASE(by_choice) { matrices(by_choice); }
CASE(by_cast) { matrices(by_cast); }
CASE(by_alias) { matrices(by_alias); }
CASE(by_alias_of_alias) { matrices(by_alias_of_alias); }
CASE(by_alias_handed) { matrices(by_alias_handed); }
CASE(by_alias_of_handle) { matrices(by_alias_of_handle); }
CASE(by_alias_bound) { matrices(by_alias_bound); }
CASE(by_alias_captured) { matrices(by_alias_captured); }
CASE(by_alias_of_pointer) { matrices(by_alias_of_pointer); }
CASE(by_alias_of_cast) { matrices(by_alias_of_cast); }
CASE(by_alias_pointed) { matrices(by_alias_pointed); }
CASE(by_address) { matrices(by_address); }
CASE(own_part) { matrices(own_part); }
CASE(of_array) { matrices(of_array); }
#endif
