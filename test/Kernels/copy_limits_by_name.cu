// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops up to an array's size where the name of the size, or the type of
// the counter, cannot be written down as it is: hidden names, `auto` counters,
// arrays that a macro declares.
// REQUIRES: executor
// RUN: %variants --at-least=10 %s
// RUN: %kpipe rewrite --arch=sm_86 %s 2>/dev/null | %code | FileCheck %s

constexpr int T = 64, Most = 160;
enum { Rows = 160 };
namespace big {
constexpr int Size = 160;
}

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n, int tile)

// CHECK-LABEL: another_constant
// CHECK: float xs_{{reg}}[3];
BEGIN(another_constant) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  {
    constexpr int Most = 40;
    for (int k = 0; k < n; k += tile) {
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 2 + Most;
      __syncthreads();
      for (int i = 0; i < tile; ++i)
        sum += xs[i] * (i ^ t);
      __syncthreads();
    }
  }
  y[t] = sum;
}
BEGIN(a_variable) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  {
    int Most = n;
    for (int k = 0; k < n; k += tile) {
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * 2 + Most;
      __syncthreads();
      for (int i = 0; i < tile; ++i)
        sum += xs[i] * (i ^ t);
      __syncthreads();
    }
  }
  y[t] = sum;
}
BEGIN(in_the_body) {
  __shared__ float xs[Rows];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    int Rows = k;
    for (int i = t; i < tile; i += T)
      xs[i] = x[k + i] * 2 + Rows;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(a_type) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  {
    using Most = int;
    for (Most k = 0; k < n; k += tile) {
      for (int i = t; i < tile; i += T)
        xs[i] = x[k + i] * Most(3);
      __syncthreads();
      for (int i = 0; i < tile; ++i)
        sum += xs[i] * (i ^ t);
      __syncthreads();
    }
  }
  y[t] = sum;
}
// A name that nothing hides stays.
// CHECK-LABEL: qualified
// CHECK: float xs_{{reg}}[kpipe::ceil_div(big::Size, T)];
BEGIN(qualified) {
  __shared__ float xs[big::Size];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
#define TILE(Type, Name) __shared__ Type Name[Most]
BEGIN(by_macro) {
  TILE(float, xs);
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}

// Counters of the loop's own type.
// CHECK-LABEL: auto_unsigned
// CHECK: for (auto i = threadIdx.x, p{{art}} = 0u;
BEGIN(auto_unsigned) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (auto i = threadIdx.x; i < tile; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: auto_int
// CHECK: for (auto i = t, p{{art}} = 0;
BEGIN(auto_int) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (auto i = t; i < Most; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(auto_long) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (auto i = static_cast<long long>(t); i < tile; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: auto_in_template
// CHECK: p{{art}} = decltype(static_cast<I>(threadIdx.x)){0};
template <typename I>
__global__ void __launch_bounds__(T)
    auto_in_template(const float *__restrict__ x, float *__restrict__ y, int n,
                     int tile) {
  __shared__ float xs[Most];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    for (auto i = static_cast<I>(threadIdx.x); i < Most; i += T)
      xs[i] = x[k + i] * 2;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      sum += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void auto_in_template<int>(const float *, float *, int, int);
template __global__ void auto_in_template<unsigned>(const float *, float *, int,
                                                    int);

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME, KERNEL)                                                     \
  CASE(NAME) {                                                                 \
    for (int tile : {64, 96, 160})                                             \
      for (int n : multiples(tile)) {                                          \
        auto x = in<float>("x", n + 900);                                      \
        auto y = out<float>("y", T);                                           \
        launch({dim3(1), dim3(T)}, KERNEL, x, y, n, tile);                     \
      }                                                                        \
  }
EACH(another_constant, another_constant)
EACH(a_variable, a_variable)
EACH(in_the_body, in_the_body)
EACH(a_type, a_type)
EACH(qualified, qualified)
EACH(by_macro, by_macro)
EACH(auto_unsigned, auto_unsigned)
EACH(auto_int, auto_int)
EACH(auto_long, auto_long)
EACH(template_int, auto_in_template<int>)
EACH(template_unsigned, auto_in_template<unsigned>)
#endif
