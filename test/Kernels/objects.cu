// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects as frameworks have them: accessors of tensors, fetchers, iterators,
// number types with constructors and conversions, functors, and sums that are
// objects. Their member functions are looked into like any function.
// REQUIRES: executor
// RUN: %variants --at-least=17 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c ': remark:' | grep -x 17

constexpr int T = 64;

// Accessors.
struct Row {
  const float *at;
  __device__ float operator[](int j) const { return at[j]; }
};
struct Grid {
  const float *at;
  int pitch;
  __device__ Row operator[](int i) const { return Row{at + i * pitch}; }
};
template <typename E, int N> class ViewBase {
protected:
  E *data;
  const long *sizes, *strides;

public:
  __device__ ViewBase(E *d, const long *n, const long *s)
      : data(d), sizes(n), strides(s) {}
  __device__ long size(int i) const { return sizes[i]; }
};
template <typename E, int N> class View : public ViewBase<E, N> {
public:
  __device__ View(E *d, const long *n, const long *s)
      : ViewBase<E, N>(d, n, s) {}
  __device__ View<E, N - 1> operator[](long i) const {
    return View<E, N - 1>(this->data + i * this->strides[0], this->sizes + 1,
                          this->strides + 1);
  }
};
template <typename E> class View<E, 1> : public ViewBase<E, 1> {
public:
  __device__ View(E *d, const long *n, const long *s)
      : ViewBase<E, 1>(d, n, s) {}
  __device__ E &operator[](long i) const {
    return this->data[i * this->strides[0]];
  }
};
template <typename E, int N> struct Tensor {
  E *data;
  long sizes[N], strides[N];
  __device__ View<E, N - 1> operator[](long i) const {
    return View<E, N - 1>(data + i * strides[0], sizes + 1, strides + 1);
  }
};
struct Temporary {
  const float *p;
  __device__ float get(int i) const { return p[i]; }
};
class Fetcher {
  const float *p;
  int pitch;

public:
  __device__ Fetcher(const float *from, int pitch) : p(from), pitch(pitch) {
    p += 1;
  }
  __device__ float get(int i, int j) const { return p[i * pitch + j]; }
  __device__ void next() { p += pitch; }
};
struct Steps {
  const float *p;
  int by;
  __device__ Steps(const float *from, int by) {
    p = from;
    this->by = by;
  }
  __device__ Steps &operator++() {
    p += by;
    return *this;
  }
  __device__ const float &operator*() const { return *p; }
  __device__ Steps operator+(int n) const { return Steps(p + n, by); }
};

__global__ void __launch_bounds__(T)
rows(Grid x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i / T][threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
tensors(const Tensor<const float, 3> x, Tensor<float, 2> y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[blockIdx.x][i / T][threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[0][threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
temporary(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = Temporary{x}.get(i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
fetcher(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Fetcher from(x, T);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = from.get(i / T, threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
fetcher_that_moves(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Fetcher from(x, T);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = from.get(0, threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    from.next();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
iterator(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T], zs[T];
  Steps it(x + threadIdx.x, T);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = *it;
    zs[threadIdx.x] = *(it + 1);
    ++it;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) - zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
by_closure(const float *x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Temporary from{x};
  auto get = [&](int i) { return from.get(i); };
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = get(i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Numbers.
struct Short {
  unsigned short bits;
  Short() = default;
  __device__ Short(float f) { bits = (__float_as_uint(f) + 0x8000) >> 16; }
  __device__ operator float() const {
    return __uint_as_float(unsigned(bits) << 16);
  }
};
struct Complex {
  float x, y;
  __device__ Complex(float x = 0, float y = 0) : x(x), y(y) {}
  __device__ Complex &operator+=(const Complex &o) {
    x += o.x;
    y += o.y;
    return *this;
  }
};
__device__ inline Complex operator*(const Complex &a, const Complex &b) {
  return Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
struct Vector {
  float x, y, z;
  __device__ Vector operator-(const Vector &o) const {
    return {x - o.x, y - o.y, z - o.z};
  }
  __device__ float dot(const Vector &o) const {
    return x * o.x + y * o.y + z * o.z;
  }
  __device__ Vector &operator+=(const Vector &o) {
    x += o.x, y += o.y, z += o.z;
    return *this;
  }
};
__device__ inline Vector operator*(float a, const Vector &v) {
  return Vector{a * v.x, a * v.y, a * v.z};
}
struct Online {
  float most, scale;
  __device__ Online() : most(-64), scale(0) {}
  __device__ void add(float v) {
    float m = v > most ? v : most;
    scale = scale * (1 + most - m) + (1 + v - m);
    most = m;
  }
  __device__ float value() const { return most + scale; }
};

template <typename E>
__global__ void __launch_bounds__(T)
numbers(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ E xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    E v{};
    if (i + threadIdx.x < n)
      v = static_cast<E>(x[i + threadIdx.x]);
    xs[threadIdx.x] = v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += static_cast<float>(xs[j]) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void numbers<Short>(const float *, float *, int);
template <typename E>
__global__ void __launch_bounds__(T)
or_zero(const E *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ E xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] =
        i + threadIdx.x < n ? x[i + threadIdx.x] : static_cast<E>(0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += float(xs[j]) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void or_zero<Short>(const Short *, float *, int);
__global__ void __launch_bounds__(T)
complex_sum(const float2 *__restrict__ x, float2 *__restrict__ y, int n) {
  __shared__ float2 xs[T];
  Complex sum;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += Complex(xs[j].x, xs[j].y) * Complex(1, threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = make_float2(sum.x, sum.y);
}
__global__ void __launch_bounds__(T)
bodies(const Vector *__restrict__ x, Vector *__restrict__ y, int n) {
  __shared__ Vector xs[T];
  Vector own = x[threadIdx.x], force{0, 0, 0};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      Vector d = xs[j] - own;
      force += d.dot(d) * d;
    }
    __syncthreads();
  }
  y[threadIdx.x] = force;
}
__global__ void __launch_bounds__(T)
online(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Online sum;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum.add(xs[j] * (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum.value();
}

// Functors.
struct Positive {
  __device__ float operator()(float v) const { return v > 0 ? v : 0; }
};
struct Scaled {
  float by;
  __device__ float operator()(float v) const { return by * v; }
};
template <typename F, typename G>
__global__ void __launch_bounds__(T)
functors(const float *__restrict__ x, float *__restrict__ y, int n, F f, G g) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = f(x[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += g(xs[j]) * (threadIdx.x ^ j) + F()(xs[j]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void functors<Positive, Scaled>(const float *, float *, int,
                                                    Positive, Scaled);

// Pointers that are initialised with braces and with parentheses.
__global__ void __launch_bounds__(T)
braced(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    float2 v{0, 0};
    float *p{&v.x};
    p[0] = x[i + threadIdx.x];
    xs[threadIdx.x] = v.x;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
in_parentheses(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const float *q = {x};
  for (int i = 0; i < n; i += T) {
    float v[2]{};
    float *p(v + 1);
    const float *from{q + i};
    *p = from[threadIdx.x];
    xs[threadIdx.x] = v[1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One helper on both sides of the barrier: its variables are each call's own.
__device__ inline float twice(float v) {
  float r = v;
  for (int k = 0; k < 1; ++k)
    r += v;
  return r;
}
__device__ inline void add_to(float &to, float v) {
  float kept = to;
  kept += v;
  to = kept;
}
__global__ void __launch_bounds__(T)
both_sides(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = twice(x[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += twice(xs[j]) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
both_by_reference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    float v = 1;
    add_to(v, x[i + threadIdx.x]);
    xs[threadIdx.x] = v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      add_to(sum, xs[j] * (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
both_closures(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto half = [](float v) {
    float r = v;
    r *= 0.5f;
    return r;
  };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = half(x[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += half(xs[j]) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define RUN(KERNEL, NAME, SIZES)                                               \
  CASE(NAME) {                                                                 \
    for (int n : SIZES(T)) {                                                   \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      launch({1, T}, KERNEL, x, y, n);                                         \
    }                                                                          \
  }
CASE(rows) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, rows, Grid{x, T}, y, n);
  }
}
CASE(tensors) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, tensors,
           Tensor<const float, 3>{x, {1, n / T, T}, {n, T, 1}},
           Tensor<float, 2>{y, {1, T}, {T, 1}}, n);
  }
}
RUN(temporary, temporary, multiples)
RUN(fetcher, fetcher, multiples)
RUN(fetcher_that_moves, fetcher_that_moves, multiples)
RUN(iterator, iterator, multiples)
RUN(by_closure, by_closure, multiples)
RUN(numbers<Short>, numbers, sizes)
CASE(or_zero) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, or_zero<Short>, x.as<Short>(), y, n);
  }
}
CASE(complex_sum) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 2 * n), y = out<float>("y", 2 * T);
    launch({1, T}, complex_sum, x.as<float2>(), y.as<float2>(), n);
  }
}
CASE(bodies) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 3 * (n + T)), y = out<float>("y", 3 * T);
    launch({1, T}, bodies, x.as<Vector>(), y.as<Vector>(), n);
  }
}
RUN(online, online, multiples)
CASE(functors) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, functors<Positive, Scaled>, x, y, n, Positive{}, Scaled{3});
  }
}
RUN(braced, braced, multiples)
RUN(in_parentheses, in_parentheses, multiples)
RUN(both_sides, both_sides, multiples)
RUN(both_by_reference, both_by_reference, multiples)
RUN(both_closures, both_closures, multiples)
#endif
