// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of a tile that the next iteration uses: it reads there what has been
// stored since, in the one buffer that there is.
// REQUIRES: executor
// RUN: %variants --ways=few --at-least=4 %s

constexpr int T = 32;

__device__ inline unsigned number(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ inline unsigned at(unsigned a) {
  unsigned r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(a));
  return r;
}

// One of two variables.
__global__ void __launch_bounds__(T)
chosen(const float4 *__restrict__ x, unsigned *__restrict__ y, int n, bool first) {
  __shared__ __align__(16) float4 xs[T];
  unsigned sum = 0, kept = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const unsigned a = number(&xs[threadIdx.x]), b = a ^ 16;
    sum = sum * 3 + at(i ? kept : a);
    kept = first ? a : b;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct First {
  unsigned a = 0;
  bool known = false;
  __device__ unsigned of(const void *p) {
    if (!known)
      a = number(p);
    known = true;
    return a;
  }
};

// An object keeps the first one.
__global__ void __launch_bounds__(T)
by_member(const float4 *__restrict__ x, unsigned *__restrict__ y, int n) {
  __shared__ __align__(16) float4 xs[T];
  unsigned sum = 0;
  First f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum = sum * 3 + at(f.of(xs + threadIdx.x));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A closure keeps it.
__global__ void __launch_bounds__(T)
by_closure(const float4 *__restrict__ x, unsigned *__restrict__ y, int n) {
  __shared__ __align__(16) float4 xs[T];
  unsigned sum = 0, kept = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    auto keep = [&](const void *p) { kept = number(p); };
    if (!i)
      keep(xs + T - 1 - threadIdx.x);
    sum = sum * 3 + at(kept);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Its bits are kept, as a float.
__global__ void __launch_bounds__(T)
as_bits(const float4 *__restrict__ x, unsigned *__restrict__ y, int n) {
  __shared__ __align__(16) float4 xs[T];
  unsigned sum = 0;
  float kept = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    if (!i)
      kept = __uint_as_float(number(xs + threadIdx.x));
    sum = sum * 3 + at(__float_as_uint(kept));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(chosen) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 4 * n);
    auto y = out<unsigned>("y", T);
    launch({1, T}, chosen, x.as<float4>(), y, n, n % (2 * T) == 0);
  }
}
#define CASE_OF(kernel)                                                                            \
  CASE(kernel) {                                                                                   \
    for (int n : multiples(T)) {                                                                   \
      auto x = in<float>("x", 4 * n);                                                              \
      auto y = out<unsigned>("y", T);                                                              \
      launch({1, T}, kernel, x.as<float4>(), y, n);                                                \
    }                                                                                              \
  }
CASE_OF(by_member)
CASE_OF(by_closure)
CASE_OF(as_bits)
#endif
