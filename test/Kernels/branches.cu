// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in branches: what one branch holds in registers the other one holds in
// the same, a branch that never runs holds nothing, and each branch has a route
// of its own.
// REQUIRES: executor
// RUN: %variants --at-least=13 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kpipe analyze %s --arch=sm_86 2>&1 | FileCheck %s --check-prefix=PLAN

constexpr int T = 64, Tile = 8 * T;

// Rows that are aligned are copied four elements at a time.
__global__ void __launch_bounds__(T) by_parameter(const float *x, float *y,
                                                  int n, bool wide) {
  __shared__ float xs[Tile];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += Tile) {
    if (wide) {
      for (int i = 0; i < 2; ++i)
        reinterpret_cast<float4 *>(xs)[i * T + t] =
            reinterpret_cast<const float4 *>(x + k)[i * T + t];
    } else {
      for (int i = 0; i < 8; ++i)
        xs[i * T + t] = x[k + i * T + t];
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      s += xs[i * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = s;
}
// PLAN: by_parameter: pipelined
// PLAN: xs 16 cp.async
// PLAN: xs 4 registers

// Two ways to make the values; either is in the same registers.
__global__ void __launch_bounds__(T) two_ways(const float *x, float *y, int n,
                                              int scale) {
  __shared__ float xs[Tile];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += Tile) {
    if (scale > 1) {
      for (int i = 0; i < 8; ++i)
        xs[i * T + t] = x[k + i * T + t] * scale;
    } else {
      for (int j = 0; j < 8; ++j)
        xs[j * T + t] = x[k + j * T + t] + 1.0f;
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      s += xs[i * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: two_ways(
// CHECK: float xs_{{reg}}[8];
// CHECK-NEXT: auto fetch_{{tile}}
// CHECK: xs_{{reg}}[i] = x[k + i * T + t] * scale;
// CHECK: xs_{{reg}}[j] = x[k + j * T + t] + 1.0f;
// CHECK: xs[i * T + t] = xs_{{reg}}[i];
// CHECK: xs[j * T + t] = xs_{{reg}}[j];
// PLAN: two_ways: pipelined
// PLAN: sm_86 {{.*}} 2 8 {{.*}}

// The branch is taken anew for each element, and in a chain.
__global__ void __launch_bounds__(T) by_element(const float *x, float *y, int n,
                                                int edge) {
  __shared__ float xs[Tile];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = 0; i < 8; ++i) {
      if (i < edge)
        xs[i * T + t] = x[k + i * T + t] * 3;
      else if (i == edge)
        xs[i * T + t] = x[k + i * T + t] + 5;
      else
        xs[i * T + t] = -x[k + i * T + t];
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      s += xs[i * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: by_element(
// CHECK: float xs_{{reg}}[8];
// CHECK-NEXT: auto fetch_{{tile}}
// CHECK: xs_{{reg}}[i] = x[k + i * T + t] * 3;
// CHECK: xs_{{reg}}[i] = x[k + i * T + t] + 5;
// CHECK: xs_{{reg}}[i] = -x[k + i * T + t];

// Threads of one block take different branches, and several stores are in each.
__global__ void __launch_bounds__(T) by_thread(const float *x, float *y, int n) {
  __shared__ float xs[2 * T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 2 * T) {
    if (t & 1) {
      xs[t] = x[k + t] * 2;
      xs[t + T] = x[k + t + T] * 3;
    } else {
      xs[t] = x[k + t] * 4;
      xs[t + T] = x[k + t + T] * 5;
    }
    __syncthreads();
    s += xs[t ^ 1] - xs[(t ^ 2) + T];
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: by_thread(
// CHECK: float xs_{{reg}}[2];
// CHECK-NEXT: auto fetch_{{tile}}
// CHECK: xs_{{reg}}[0] = x[k + t] * 2;
// CHECK: xs_{{reg}}[1] = x[k + t + T] * 3;
// CHECK: xs_{{reg}}[0] = x[k + t] * 4;
// CHECK: xs_{{reg}}[1] = x[k + t + T] * 5;

// What a branch has too many of is its own; other types are apart.
__global__ void __launch_bounds__(T) uneven(const float *x, float *y, int n,
                                            bool wide) {
  __shared__ float xs[2 * T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 2 * T) {
    if (wide)
      reinterpret_cast<float2 *>(xs)[t] =
          make_float2(x[k + 2 * t] + 1, x[k + 2 * t + 1]);
    else {
      xs[t] = x[k + t] * 4;
      xs[t + T] = x[k + t + T] * 5;
    }
    __syncthreads();
    s += xs[t ^ 1] - xs[(t ^ 2) + T];
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: uneven(
// CHECK: float2 xs_{{reg}};
// CHECK-NEXT: float xs_{{reg}}_2[2];

// As many parts as each branch has.
__global__ void __launch_bounds__(T) lengths(const float *x, float *y, int n,
                                             bool few) {
  __shared__ float xs[Tile];
  int t = threadIdx.x;
  float s = 0;
  const int parts = few ? 3 : 8;
  for (int k = 0; k < n; k += Tile) {
    if (few) {
      for (int i = 0; i < 3; ++i)
        xs[i * T + t] = x[k + i * T + t] * 3;
    } else {
      for (int i = 0; i < 8; ++i)
        xs[i * T + t] = x[k + i * T + t] + 2;
    }
    __syncthreads();
    for (int i = 0; i < parts; ++i)
      s += xs[i * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: lengths(
// CHECK: float xs_{{reg}}[3];
// CHECK-NEXT: float xs_{{reg}}_2[8];

// In one instantiation both branches load what the array holds, in the other one
// of them converts: the text of both has registers for each.
template <typename V>
__global__ void __launch_bounds__(T) by_type(const float *x, const V *v,
                                             float *y, int n, bool plain) {
  __shared__ float xs[2 * T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 2 * T) {
    if (plain) {
      for (int i = 0; i < 2; ++i)
        xs[i * T + t] = x[k + i * T + t];
    } else {
      for (int i = 0; i < 2; ++i)
        xs[i * T + t] = v[k + i * T + t];
    }
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      s += xs[i * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = s;
}
template __global__ void by_type<float>(const float *, const float *, float *,
                                        int, bool);
template __global__ void by_type<short>(const float *, const short *, float *,
                                        int, bool);
// CHECK-LABEL: by_type(
// CHECK: float xs_{{reg}}[2];
// CHECK-NEXT: float xs_{{reg}}_2[2];

// Both branches are in the text of both instantiations, one runs in each.
template <bool Transposed>
__global__ void __launch_bounds__(T) by_template(const float *x, float *y,
                                                 int n) {
  __shared__ float xs[8][T + 1];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += Tile) {
    if (Transposed) {
      for (int i = 0; i < 8; ++i)
        xs[(i * T + t) % 8][(i * T + t) / 8] = x[k + i * T + t];
    } else {
      for (int i = 0; i < 8; ++i)
        xs[i][t] = x[k + i * T + t] * 2;
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      s += xs[i][t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
template __global__ void by_template<true>(const float *, float *, int);
template __global__ void by_template<false>(const float *, float *, int);
// CHECK-LABEL: by_template(
// CHECK: float xs_{{reg}}[8];
// CHECK-NEXT: auto fetch_{{tile}}
// PLAN: by_template: pipelined
// PLAN: sm_86 {{.*}} 2 8 {{.*}}

// A constant decides; the branch that is left is copied without registers.
__global__ void __launch_bounds__(T) dead(const float4 *x, float4 *y, int n) {
  __shared__ float4 xs[2 * T];
  constexpr bool Scaled = false;
  int t = threadIdx.x;
  float4 s = make_float4(0, 0, 0, 0);
  for (int k = 0; k < n; k += 2 * T) {
    for (int i = 0; i < 2; ++i)
      if (Scaled) {
        float4 v = x[k + i * T + t];
        xs[i * T + t] = make_float4(2 * v.x, 2 * v.y, 2 * v.z, 2 * v.w);
      } else {
        xs[i * T + t] = x[k + i * T + t];
      }
    __syncthreads();
    for (int i = 0; i < 2; ++i)
      s.x += xs[i * T + (t ^ 1)].x * xs[i * T + (t ^ 2)].y;
    __syncthreads();
  }
  y[t] = s;
}
// PLAN: dead: pipelined
// PLAN: xs 16 registers
// PLAN: xs 16 cp.async a pure copy of 16 bytes
// PLAN: sm_86 mixed 2 0

// Not in two branches of one `if`: a thread may come by both.
__global__ void __launch_bounds__(T) both(const float *x, float *y, int n,
                                          int way) {
  __shared__ float xs[2 * T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 2 * T) {
    if (way & 1)
      xs[t] = x[k + t] * 2;
    else
      xs[t] = 1;
    if (!(way & 2))
      xs[t + T] = x[k + t + T] * 3;
    else
      xs[t + T] = x[k + t] * 4;
    __syncthreads();
    s += xs[t ^ 1] - xs[(t ^ 2) + T];
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: both(
// CHECK: float xs_{{reg}}[2];

// One place, and the last of the turns that store it is the one that counts:
// what one branch copies asynchronously the other one could not overwrite.
__global__ void __launch_bounds__(T) one_place(const float4 *x, float4 *y, int n,
                                               int odd) {
  __shared__ float4 xs[T];
  int t = threadIdx.x;
  float4 s = make_float4(0, 0, 0, 0);
  for (int k = 0; k < n; k += 2 * T) {
    for (int i = 0; i < 2; ++i)
      if ((i + odd) & 1)
        xs[t] = x[k + i * T + t];
      else {
        float4 v = x[k + i * T + t];
        xs[t] = make_float4(v.y, v.x, v.w, v.z);
      }
    __syncthreads();
    s.x += xs[t ^ 1].x;
    s.y += xs[t ^ 2].y;
    __syncthreads();
  }
  y[t] = s;
}
// PLAN: one_place: pipelined
// PLAN-NOT: cp.async
// PLAN: registers

// In a helper, whose argument is the constant.
template <bool Scaled>
__device__ void load(const float *x, float *xs, int k, int t) {
  for (int i = 0; i < 8; ++i) {
    if (Scaled)
      xs[i * T + (t ^ 1)] = x[k + i * T + (t ^ 1)] * 7;
    else
      xs[i * T + t] = x[k + i * T + t] - 1;
  }
}
__global__ void __launch_bounds__(T) in_helper(const float *x, float *y, int n) {
  __shared__ float xs[Tile];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += Tile) {
    load<false>(x, xs, k, t);
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      s += xs[i * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = s;
}
// PLAN: in_helper: pipelined
// PLAN: sm_86 {{.*}} 2 8 {{.*}}

// One instantiation of a loop with `if constexpr`.
template <bool Scaled>
__global__ void __launch_bounds__(T) by_constexpr(const float *x, float *y,
                                                  int n) {
  __shared__ float xs[Tile];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = 0; i < 8; ++i)
      if constexpr (Scaled)
        xs[i * T + t] = x[k + i * T + t] * 2;
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      s += xs[i * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = s;
}
template __global__ void by_constexpr<true>(const float *, float *, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(branches) {
  for (int n : multiples(Tile)) {
    auto x = in<float>("x", n + 8 * T), z = in<float>("z", n);
    auto u = in<short>("u", n);
    for (int way : {0, 1, 2, 5, 9}) {
      auto a = out<float>("a", T), b = out<float>("b", T), c = out<float>("c", T),
           d = out<float>("d", T), e = out<float>("e", T),
           l = out<float>("lengths", T), p = out<float>("types", T),
           q = out<float>("shorts", T);
      launch({dim3(1), dim3(T)}, by_parameter, x, a, n, way != 0);
      launch({dim3(1), dim3(T)}, two_ways, x, b, n, way);
      launch({dim3(1), dim3(T)}, by_element, x, c, n, way);
      launch({dim3(1), dim3(T)}, by_thread, x, d, n);
      launch({dim3(1), dim3(T)}, uneven, x, e, n, way != 0);
      launch({dim3(1), dim3(T)}, lengths, x, l, n, way != 0);
      launch({dim3(1), dim3(T)}, by_type<float>, x, z, p, n, way != 0);
      launch({dim3(1), dim3(T)}, by_type<short>, x, u, q, n, way != 0);
    }
    auto f = out<float>("f", T), g = out<float>("g", T), h = out<float>("h", T),
         c = out<float>("k", T);
    launch({dim3(1), dim3(T)}, by_template<true>, x, f, n);
    launch({dim3(1), dim3(T)}, by_template<false>, x, g, n);
    launch({dim3(1), dim3(T)}, in_helper, x, h, n);
    launch({dim3(1), dim3(T)}, by_constexpr<true>, x, c, n);
    auto v = in<float>("v", 4 * n + 4);
    auto w = out<float>("w", 4 * T);
    for (int way : {0, 1, 2, 3}) {
      auto a = out<float>("l", T);
      auto b = out<float>("m", 4 * T);
      launch({dim3(1), dim3(T)}, both, x, a, n, way);
      launch({dim3(1), dim3(T)}, one_place, v.as<float4>(), b.as<float4>(), n,
             way);
    }
    launch({dim3(1), dim3(T)}, dead, v.as<float4>(), w.as<float4>(), n);
  }
}
#endif
