// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers that the loop's header steps: promised not to alias, in templates,
// deduced, to rows. The parameter of a lambda promises what the author's
// pointer does.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: not grep 'not pipelined' %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 6
//
// RUN: mkdir -p %t && cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>/dev/null | %code | FileCheck %s

constexpr int T = 64;

// Fetched by the stepped pointer, which is the only one of the header.
__global__ void __launch_bounds__(T)
restricted(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  // CHECK-LABEL: restricted
  // CHECK: [&](const float *__restrict__ x) {
  for (int i = 0; i < n; i += T, x += T) {
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// No counter, and a pointer beside it that promises nothing.
__global__ void __launch_bounds__(T)
one_of_two(const float *__restrict__ x, const float *w, float *__restrict__ y,
           int n) {
  __shared__ float s[T], u[T];
  const float *end = x + n;
  float sum = 0;
  // CHECK-LABEL: one_of_two
  // CHECK: [&](const float *__restrict__ x, const float *w) {
  for (; x < end; x += T, w += T) {
    s[threadIdx.x] = x[threadIdx.x];
    u[threadIdx.x] = w[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j] * u[j ^ 1] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a template the type is the author's words, whatever they mean in each.
template <typename F, int N>
__global__ void __launch_bounds__(N)
of_template(const F *__restrict__ x, F const *w, F *y, int n) {
  __shared__ F s[N], u[N];
  F sum = 0;
  // CHECK-LABEL: of_template
  // CHECK: [&](const F *__restrict__ x, const F *w) {
  for (int i = 0; i < n; i += N, x += N, w += N) {
    s[threadIdx.x] = x[threadIdx.x];
    u[threadIdx.x] = w[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * u[j ^ 1] * F(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is deduced is spelled as what it is made of.
template <int N>
__global__ void __launch_bounds__(N)
deduced(const float *__restrict__ x, float *y, int n) {
  __shared__ float s[N];
  float sum = 0;
  auto p = x;
  // CHECK-LABEL: deduced
  // CHECK: [&](const float *p) {
  for (int i = 0; i < n; i += N, p += N) {
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <int N>
__global__ void __launch_bounds__(N)
declared_in_header(const float *__restrict__ x, float *y, int n) {
  __shared__ float s[N];
  float sum = 0;
  // CHECK-LABEL: declared_in_header
  // CHECK: [&](auto p) {
  for (const auto *p = x; p != x + n; p += N) {
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer to rows has its name within its type.
template <int N>
__global__ void __launch_bounds__(N)
to_rows(const float (*__restrict__ x)[N], float *y, int n) {
  __shared__ float s[N];
  float sum = 0;
  // CHECK-LABEL: to_rows
  // CHECK: [&](decltype(x) x) {
  for (int i = 0; i < n; i += N, ++x) {
    s[threadIdx.x] = (*x)[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void run(const float *x, float *y, const double *a, double *b, int n) {
  of_template<float, T><<<1, T>>>(x, x, y, n);
  of_template<double, 32><<<1, 32>>>(a, a, b, n);
  deduced<T><<<1, T>>>(x, y, n);
  declared_in_header<T><<<1, T>>>(x, y, n);
  to_rows<T><<<1, T>>>(reinterpret_cast<const float(*)[T]>(x), y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(restricted) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, restricted, x, y, n);
  }
}
CASE(one_of_two) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), w = in<float>("w", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, one_of_two, x, w, y, n);
  }
}
CASE(of_template) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), w = in<float>("w", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, of_template<float, T>, x, w, y, n);
    auto a = in<double>("a", n), b = in<double>("b", n), c = out<double>("c", 32);
    launch({dim3(1), dim3(32)}, of_template<double, 32>, a, b, c, n);
  }
}
CASE(deduced) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, deduced<T>, x, y, n);
  }
}
CASE(declared_in_header) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, declared_in_header<T>, x, y, n);
  }
}
CASE(to_rows) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, to_rows<T>, x.as<float[T]>(), y, n);
  }
}
#endif
