// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that wait in a variable or an array of the author's between their load
// and their store: pure copies, which cp.async makes without the variable, and
// which registers hold once.
// REQUIRES: executor
// RUN: %variants --at-least=22 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu
// RUN: FileCheck %s < %t.cu

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float4 *__restrict__ x, float *__restrict__ y, int n)
#define USE(Array)                                                             \
  for (int j = 0; j < 2 * T; ++j)                                              \
    sum += Array[j].x * (t ^ j) - Array[j].w

// A variable.
BEGIN(variable) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 v = x[k + t];
    const auto w = x[k + t + 1];
    xs[t] = v;
    xs[T + t] = w;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^BEGIN.}}variable)
// CHECK: {{^ *}}auto &xs = 
// CHECK-NEXT: {{^ *kpipe::copy_async\(&xs\[t\], &x\[k . t\]\);}}
// CHECK-NEXT: {{^ *kpipe::copy_async\(&xs\[T . t\], &x\[k . t . 1\]\);}}
// CHECK-NEXT: {{^ *};}}

// In a copy loop, and set by an assignment.
BEGIN(in_loop) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      const int at = i * T + t;
      float4 v;
      v = x[k + at];
      xs[at] = v;
    }
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^BEGIN.}}in_loop)
// CHECK: {{^ *const int at = .*;}}
// CHECK-NEXT: {{^ *kpipe::copy_async\(&xs\[at\], &x\[k . at\]\);}}

// An array that one loop fills and another one empties.
BEGIN(array) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 r[2];
#pragma unroll
    for (int i = 0; i < 2; ++i)
      r[i] = x[k + t + i * T];
#pragma unroll
    for (int part = 0; part < 2; ++part)
      xs[t + part * T] = r[part];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^BEGIN.}}array)
// CHECK: {{^ *}}auto &xs = 
// CHECK-NEXT: {{^ *#pragma unroll}}
// CHECK-NEXT: {{^ *for .int part = 0; part < 2; ..part.}}
// CHECK-NEXT: {{^ *kpipe::copy_async\(&xs\[t . part . T\], &x\[k . t . part . T\]\);}}

// Its elements are counted otherwise than the loops count.
BEGIN(counted_in_steps) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 r[2];
    for (int i = 0; i < 2 * T; i += T)
      r[i / T] = x[k + t + i];
    for (int i = 0; i < 2 * T; i += T)
      xs[t + i] = r[i / T];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// Of two dimensions, declared before the loop.
BEGIN(two_dimensions) {
  __shared__ float4 xs[4 * T];
  const int t = threadIdx.x;
  float4 r[2][2];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        r[j][i] = x[k + t + i + j];
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        xs[t + (2 * i + j) * T] = r[j][i];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// Floats that are moved four at a time.
BEGIN(vectors_of_an_array) {
  __shared__ float xs[8 * T];
  const int t = threadIdx.x;
  float sum = 0;
  const float *p = reinterpret_cast<const float *>(x);
  for (int k = 0; k < n; k += T) {
    float r[8];
    for (int i = 0; i < 2; ++i)
      *reinterpret_cast<float4 *>(&r[4 * i]) =
          *reinterpret_cast<const float4 *>(&p[4 * (k + t + i)]);
    for (int i = 0; i < 2; ++i)
      *reinterpret_cast<float4 *>(&xs[4 * (t + i * T)]) =
          *reinterpret_cast<float4 *>(&r[4 * i]);
    __syncthreads();
    for (int j = 0; j < 8 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^BEGIN.}}vectors_of_an_array)
// CHECK: {{^ *kpipe::copy_async\($}}
// CHECK-NEXT: {{^ *reinterpret_cast<float4 .>\(&xs.4 . \(t . i . T\)\]\),$}}
// CHECK-NEXT: {{^ *reinterpret_cast<const float4 .>\(&p.4 . \(k . t . i\)\]\)\);$}}

// With a condition that asks what to load, and one that asks whether to store.
BEGIN(conditions) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t + T] = x[0];
  for (int k = 0; k < n; k += T) {
    float4 v = k + t + 3 < n ? x[k + t + 3] : float4{0, 0, 0, 0};
    float4 w = x[k + t];
    xs[t] = v;
    if (t & 1)
      xs[t + T] = w;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// Pointers that are moved on behind the store.
BEGIN(moving_pointer) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  const float4 *p = x + t;
  for (int k = 0; k < n; k += T) {
    float4 r[2];
    for (int i = 0; i < 2; ++i)
      r[i] = p[i * T];
    for (int i = 0; i < 2; ++i)
      xs[t + i * T] = r[i];
    p += T;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// In a helper, and in an instantiation of one.
__device__ void fill(float4 *xs, const float4 *x, int k) {
  float4 r[2];
  for (int i = 0; i < 2; ++i)
    r[i] = x[k + threadIdx.x + i * T];
  for (int i = 0; i < 2; ++i)
    xs[threadIdx.x + i * T] = r[i];
}
BEGIN(in_helper) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    fill(xs, x, k);
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
template <int Parts, typename V>
__device__ void fillParts(V *xs, const V *x, int k) {
#pragma unroll
  for (int i = 0; i < Parts; ++i) {
    V v = x[k + threadIdx.x + i * T];
    xs[threadIdx.x + i * T] = v;
  }
}
BEGIN(in_template) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    fillParts<2>(xs, x, k);
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// Four bytes, which stay in registers: of kpipe's, once.
BEGIN(scalars) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float r[2];
    for (int i = 0; i < 2; ++i)
      r[i] = x[k + t + i].y;
    for (int i = 0; i < 2; ++i)
      xs[t + i * T] = r[i];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^BEGIN.}}scalars)
// CHECK: {{^ *#pragma unroll}}
// CHECK-NEXT: {{^ *for .int i = 0; i < 2; ..i.}}
// CHECK-NEXT: {{^ *xs_reg[_0-9]*\[i\] = x\[k . t . i\].y;}}

// Two bodies of one text, of which one converts: the variable stays.
template <typename Held>
__global__ void __launch_bounds__(T)
    converts(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      Held v = x[k + t + i].y;
      xs[t + i * T] = v;
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// CHECK-LABEL: {{^ *}}converts(const float4
// CHECK: {{^ *Held v = x.k . t . i\].y;}}
template __global__ void converts<int>(const float4 *, float *, int);
template __global__ void converts<float>(const float4 *, float *, int);

// A branch of `if constexpr` that no instantiation has names the variable.
template <bool Parts>
__global__ void __launch_bounds__(T)
    named_elsewhere(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      float4 v = x[k + t + i];
      if constexpr (Parts)
        xs[t + i * T].x = v.x;
      else
        xs[t + i * T] = v;
    }
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
template __global__ void named_elsewhere<false>(const float4 *, float *, int);

// One helper for two arrays, and what may stand between load and store.
__device__ void bring(float4 *to, const float4 *from) {
  float4 v = from[threadIdx.x];
  to[threadIdx.x] = v;
  to[T + threadIdx.x] = from[1];
}
__device__ int swz(int i) { return i ^ 1; }
struct View {
  const float4 *data;
  int ld;
};
// A fill in the other arm, and a load by a function of the toolkit.
BEGIN(if_else) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 v = x[k + t];
    float4 w = __ldg(&x[k + t + 1]);
    if (t < 3) xs[t] = v; else xs[t] = float4{0, 0, 0, 0};
    xs[t + T] = w;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(two_helpers) {
  __shared__ float4 xs[2 * T];
  __shared__ float4 zs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    bring(xs, x + k);
    bring(zs, x + k + 1);
    __syncthreads();
    USE(xs);
    USE(zs);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(two_arrays) {
  __shared__ float4 xs[2 * T];
  __shared__ float4 zs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float ra[8], rb[8];
    for (int i = 0; i < 2; ++i)
      *(float4 *)&ra[4 * i] = x[k + t + i];
    for (int i = 0; i < 2; ++i)
      *(float4 *)&rb[4 * i] = x[k + (t ^ i)];
    for (int i = 0; i < 2; ++i)
      xs[t + i * T] = *(float4 *)&ra[4 * i];
    for (int i = 0; i < 2; ++i)
      zs[t + i * T] = *(float4 *)&rb[4 * i];
    __syncthreads();
    USE(xs);
    USE(zs);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(two_vars) {
  __shared__ float4 xs[2 * T];
  __shared__ float4 zs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 a, b;
    a = x[k + t];
    b = x[k + t + 1];
    xs[t] = a;
    zs[t] = b;
    float4 c = x[k + t], d = x[k + t + 3];
    xs[t + T] = c;
    zs[t + T] = d;
    __syncthreads();
    USE(xs);
    USE(zs);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(helper_between) {
  __shared__ float4 xs[2 * T];
  __shared__ float4 zs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 v = x[k + t];
    float4 w = x[swz(k + t)];
    bring(zs, x + k + 1);
    xs[t] = v;
    xs[t + T] = w;
    __syncthreads();
    USE(xs);
    USE(zs);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(index_arrays) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  int off[2] = {t, t ^ 1};
  int parts = 2;
  View view{x, 1};
  for (int k = 0; k < n; k += T) {
    float4 r[2];
    for (int i = 0; i < 2; ++i)
      r[i] = x[k + off[i]];
    for (int i = 0; i < 2; ++i)
      xs[t + i * T] = r[i];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  for (int k = 0; k < n; k += T) {
    float4 r[2];
    for (int i = 0; i < parts; ++i)
      r[i] = x[k + t + i];
    for (int i = 0; i < parts; ++i)
      xs[t + i * T] = r[i];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  for (int k = 0; k < n; k += T) {
    float4 v = view.data[k * view.ld + t];
    xs[t] = v;
    float4 w = view.data[k * view.ld + t + 1];
    xs[t + T] = w;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  for (int k = 0; k < n; k += T) {
    float4 v = x[k + t];
    bool found = false;
    for (int i = 0; i < 9; ++i)
      if (i > t) {
        found = true;
        break;
      }
    xs[t] = v;
    float4 w{x[k + t + 1]};
    float4 u = {x[k + t + 1]};
    xs[t + T] = found ? w : u;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float4 *, float *, int)) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 4 * (n + 3 * T));
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x.as<float4>(), y, n);
  }
}
CASE(variable) { run(variable); }
CASE(in_loop) { run(in_loop); }
CASE(array) { run(array); }
CASE(counted_in_steps) { run(counted_in_steps); }
CASE(two_dimensions) { run(two_dimensions); }
CASE(vectors_of_an_array) { run(vectors_of_an_array); }
CASE(conditions) { run(conditions); }
CASE(moving_pointer) { run(moving_pointer); }
CASE(in_helper) { run(in_helper); }
CASE(in_template) { run(in_template); }
CASE(scalars) { run(scalars); }
CASE(converts) {
  run(converts<int>);
  run(converts<float>);
}
CASE(if_else) { run(if_else); }
CASE(two_helpers) { run(two_helpers); }
CASE(two_arrays) { run(two_arrays); }
CASE(two_vars) { run(two_vars); }
CASE(helper_between) { run(helper_between); }
CASE(index_arrays) { run(index_arrays); }
CASE(named_elsewhere) { run(named_elsewhere<false>); }
#endif
