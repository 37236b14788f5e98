// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An asynchronous copy fills with zero bits. What looks like a zero need not be
// one: functions and constructors of the author's, defaults of members, minus
// zero, the null pointer to a member.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;
struct __align__(16) V4 {
  float x, y, z, w;
};

__device__ V4 make_pad(float a) { return V4{a + 1, a + 2, a + 3, a + 4}; }
__global__ void __launch_bounds__(T)
make_function(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : make_pad(0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The library's name, another namespace.
namespace mine {
__device__ float4 make_float4(float x, float y, float z, float w) {
  return {x, y + 1, z, w + 1};
}
} // namespace mine
__global__ void __launch_bounds__(T)
make_in_namespace(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  using mine::make_float4;
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] =
        i + threadIdx.x < n ? x[i + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A default constructor that sets one, and one that keeps a copy trivial.
struct __align__(16) One {
  float x, y, z, w;
  __device__ One() : x(1), y(1), z(1), w(1) {}
};
__global__ void __launch_bounds__(T)
default_constructor(const One *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) unsigned char raw[T * sizeof(One)];
  One *xs = reinterpret_cast<One *>(raw);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : One();
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Members with defaults: {} and {0} leave them as they are.
struct __align__(16) Defaults {
  float x, y = 2, z = 3, w = 4;
};
template <typename E>
__global__ void __launch_bounds__(T)
member_defaults(const E *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) unsigned char raw[T * sizeof(E)];
  E *xs = reinterpret_cast<E *>(raw);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : E{0};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void member_defaults<Defaults>(const Defaults *, float *,
                                                   int);

// A zero that is converted: the author's number keeps a bias.
struct Biased {
  unsigned bits;
  Biased() = default;
  __device__ Biased(int v) : bits(v + 127) {}
};
__global__ void __launch_bounds__(T)
converting_constructor(const Biased *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ Biased xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += float(xs[j].bits % 1024) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Minus zero has a bit set; so have its vectors.
__global__ void __launch_bounds__(T)
minus_zero(const float *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ float xs[T];
  int sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : -0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (__float_as_int(xs[j]) >> 31) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
minus_zero_vector(const float4 *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  int sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i + threadIdx.x < n)
      xs[threadIdx.x] = x[i + threadIdx.x];
    else
      xs[threadIdx.x] = make_float4(0, 0, 0, -0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (__float_as_int(xs[j].w) >> 31) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The null pointer to a member is all ones.
using Member = int V4::*;
__global__ void __launch_bounds__(T)
null_member(const Member *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ Member xs[T];
  int sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : nullptr;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j] == nullptr ? 1 : 3) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One named ZERO, one that is chosen.
#define ZERO 1.0f
__global__ void __launch_bounds__(T)
named_zero(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const float zero = threadIdx.x % 2 ? 0.0f : ZERO;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : zero;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
make_zero_legal(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] =
        i + threadIdx.x < n ? x[i + threadIdx.x] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
empty_braces_legal(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : V4{};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
VECTOR_PARTS(make_function, V4)
VECTOR_PARTS(make_in_namespace, float4)
VECTOR_PARTS(default_constructor, One)
CASE(member_defaults) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T);
    launch({1, T}, member_defaults<Defaults>, x.as<Defaults>(), y, n);
  }
}
CASE(converting_constructor) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, converting_constructor, x.as<Biased>(), y, n);
  }
}
CASE(minus_zero) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n);
    auto y = out<int>("y", T);
    launch({1, T}, minus_zero, x, y, n);
  }
}
CASE(minus_zero_vector) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 4 * n);
    auto y = out<int>("y", T);
    launch({1, T}, minus_zero_vector, x.as<float4>(), y, n);
  }
}
CASE(null_member) {
  for (int n : sizes(T)) {
    auto x = in<long long>("x", n, [](int i) { return 4 * (i % 3) - 1; });
    auto y = out<int>("y", T);
    launch({1, T}, null_member, x.as<Member>(), y, n);
  }
}
PARTS(named_zero)
VECTOR_PARTS(make_zero_legal, float4)
VECTOR_PARTS(empty_braces_legal, V4)
#endif
