// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that stand where their type would not: nvcc copies them byte by byte,
// and cp.async must not copy them at all.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: not grep 'not pipelined' %t.err
// RUN: grep -c ': remark: pipelined .* registers' %t.err | grep -x 4
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 --variant=cp-async %s 2>&1 | FileCheck %s
// CHECK-COUNT-4: not pipelined: the pipelined code would not mean the same

constexpr int T = 64;

struct __attribute__((packed)) Record {
  int id;
  float4 v;
};
#pragma pack(push, 4)
struct Padded {
  float id;
  double v;
};
#pragma pack(pop)
struct Nested {
  Record in[2];
};

__global__ void __launch_bounds__(T)
from_packed(const Record *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].x * (j ^ threadIdx.x) + s[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
to_packed(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Record s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x].v = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].v.x * (j ^ threadIdx.x) + s[j].v.w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
by_pragma(const Padded *__restrict__ x, double *__restrict__ y, int n) {
  __shared__ double s[T];
  double sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is packed is the object around it.
__global__ void __launch_bounds__(T)
nested(const Nested *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[(i + threadIdx.x) / 2].in[threadIdx.x % 2].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[j].y * (j ^ threadIdx.x) + s[j].z;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(from_packed) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 5 * n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, from_packed, x.as<Record>(), y, n);
  }
}
CASE(to_packed) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, to_packed, x.as<float4>(), y, n);
  }
}
CASE(by_pragma) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 3 * n);
    auto y = out<double>("y", T);
    launch({dim3(1), dim3(T)}, by_pragma, x.as<Padded>(), y, n);
  }
}
CASE(nested) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 5 * n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, nested, x.as<Nested>(), y, n);
  }
}
#endif
