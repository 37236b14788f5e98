// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that are pasted, strings of arguments, macros that change on the way,
// directives by digraph, continued comments, raw strings; fills and guards of odd
// types.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s

#include <cuda_fp16.h>
constexpr int T = 64;
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
union U16 {
  float f[4];
  int i;
};

__global__ void __launch_bounds__(T)
pasted_stage(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0; int CAT(sta, ge) = 5;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + CAT(sta, ge);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ int CAT(fetch, _tile)(int i) { return i + 3; }
__global__ void __launch_bounds__(T)
pasted_fetch(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + CAT(fetch, _tile)(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#define LEN(a) (a[0] + sizeof(#a))
__global__ void __launch_bounds__(T)
stringized(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + LEN(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#define PLUS_HALF sum += 0.5f *
#define AND_STOP xs[j] * (threadIdx.x ^ j);
__global__ void __launch_bounds__(T)
half_expr_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      PLUS_HALF AND_STOP
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
while_step_shadow(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0; int i = 0;
  while (i < n) {
    constexpr int T = 32; xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
    i += 2 * T;
  }
  y[threadIdx.x] = sum;
}

namespace nc { __device__ int inc(int a) { return a + T; } }
__device__ int inc(long a) { return a + 2 * T; }
__global__ void __launch_bounds__(T)
using_in_compute_then_step(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0; int i = 0;
  while (i < n) {
    using nc::inc; xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
    i = inc(i);
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
local_enum_shadow(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0; constexpr int W = 3;
  for (int i = 0; i < n; i += T) {
    enum { Q = W + 1 }; constexpr int W = 9;
    xs[threadIdx.x] = x[i + threadIdx.x] * Q;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) * Q * W;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
alignof_bits(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    struct B { unsigned u : sizeof(xs) / 16; } b{65535};
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + b.u;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <int N> struct Base { int v = N; };
__global__ void __launch_bounds__(T)
base_by_size(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    struct D : Base<sizeof(xs)> {} d;
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + d.v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#define Q3 5
#pragma push_macro("Q3")
#undef Q3
#define Q3 6
#pragma push_macro("Q3")
#undef Q3
#define Q3 7

__global__ void __launch_bounds__(T)
pop_gap_dup(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    float v = x[i + threadIdx.x] * Q3;
#pragma pop_macro("Q3")
    xs[threadIdx.x] = v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + Q3);
    __syncthreads();
  }
  y[threadIdx.x] = sum + Q3;
}

#define ZED 2

__global__ void __launch_bounds__(T)
pp_digraph_define(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] * ZED;
%:undef ZED
%:define ZED 9
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + ZED);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
comment_continued(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x]; // copied \
    sum += 1;
    // and \
    sum += 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
raw_string(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + R"(a
   b)"[j & 3]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
digraphs(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs<:T:>;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    <% xs<:threadIdx.x:> = x<:i + threadIdx.x:>; %>
    __syncthreads();
    for (int j = 0; j < T; ++j) <%
      sum += xs<:j:> * (threadIdx.x ^ j); %>
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
union16(const U16 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ U16 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : U16{};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].f[3] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
halfneg(const __half2 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __half2 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : __float2half2_rn(-0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += float(((int *)xs)[j] >> 31) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
guard_ll(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = (n - i - int(threadIdx.x) > 0) * 0x100000000ll ? x[i + threadIdx.x] : float4{};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].w * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
guard_comma(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int q = i; xs[threadIdx.x] = (q += threadIdx.x, q < n) ? x[q] : float4{};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].w * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
plain_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(pasted_stage)
TILES(pasted_fetch)
TILES(stringized)
TILES(half_expr_macro)
TILES(while_step_shadow)
TILES(using_in_compute_then_step)
TILES(local_enum_shadow)
TILES(alignof_bits)
TILES(base_by_size)
TILES(pop_gap_dup)
TILES(pp_digraph_define)
TILES(comment_continued)
TILES(raw_string)
TILES(digraphs)
CASE(union16) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 4 * (n + 2 * T)), y = out<float>("y", T);
    launch({1, T}, union16, x.as<U16>(), y, n);
  }
}
CASE(halfneg) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 1 * (n + 2 * T)), y = out<float>("y", T);
    launch({1, T}, halfneg, x.as<__half2>(), y, n);
  }
}
CASE(guard_ll) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 4 * (n + 2 * T)), y = out<float>("y", T);
    launch({1, T}, guard_ll, x.as<float4>(), y, n);
  }
}
CASE(guard_comma) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 4 * (n + 2 * T)), y = out<float>("y", T);
    launch({1, T}, guard_comma, x.as<float4>(), y, n);
  }
}
TILES(plain_legal)
#endif
