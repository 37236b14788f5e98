// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that share the clones of a helper, and calls that cannot.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite --arch=sm_86 %s 2>/dev/null | FileCheck %s
//
// What names the clone's counters is the helper: two kernels share its text.
// CHECK: {{^}}__device__ void fill{{.}}fetch(
// CHECK-NOT: {{^}}__device__ void fill{{.}}fetch
// CHECK: {{^}}__device__ void halves{{.}}fetch(
// CHECK-NOT: {{^}}__device__ void halves{{.}}fetch

// Two instantiations have one text, whatever their counts are.
template <int N> __device__ void fill(const float *x, float *xs, int k) {
  for (int i = threadIdx.x; i < N; i += 64)
    xs[i] = 2 * x[k + i];
}
__global__ void two_instances(const float *x, float *y, int n) {
  __shared__ float xs[256], zs[128];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 256) {
    fill<256>(x, xs, k);
    fill<128>(x, zs, k);
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      s += xs[j] * zs[(j ^ t) % 128];
    __syncthreads();
  }
  y[t] = s;
}

// One fills a whole number of parts, the other does not.
__global__ void __launch_bounds__(64)
uneven_instances(const float *x, float *y, int n) {
  __shared__ float xs[192], zs[100], ws[40];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 192) {
    fill<192>(x, xs, k);
    fill<100>(x, zs, k);
    fill<40>(x, ws, k);
    __syncthreads();
    for (int j = 0; j < 192; ++j)
      s += xs[j] * zs[(j ^ t) % 100] - ws[(j + t) % 40];
    __syncthreads();
  }
  y[t] = s;
}

// Two loops in each of two helpers: their counters depend on none of the others.
__device__ void halves(const float *x, float *xs, float *zs, int k) {
  for (int i = threadIdx.x; i < 128; i += 64)
    xs[i] = x[k + i] + 1;
  for (int j = threadIdx.x; j < 128; j += 64)
    zs[j] = x[k + 128 + j] - 1;
}
__global__ void after_another(const float *x, float *y, int n) {
  __shared__ float xs[128], zs[128], ws[256];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 256) {
    fill<256>(x, ws, k);
    halves(x, xs, zs, k);
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      s += xs[j] * zs[j ^ (t & 1)] * ws[j + t];
    __syncthreads();
  }
  y[t] = s;
}
__global__ void alone(const float *x, float *y, int n) {
  __shared__ float xs[128], zs[128];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 256) {
    halves(x, xs, zs, k);
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      s += xs[j] * zs[(j + t) % 128];
    __syncthreads();
  }
  y[t] = s;
}

// Types of several widths: what waits in registers is the template's own type.
template <class T> __device__ void typed(const T *from, T *to, int k) {
  for (int i = 0; i < 2; ++i)
    to[i * 64 + threadIdx.x] = from[k + i * 64 + threadIdx.x] + T(1);
}
__global__ void two_types(const float *x, const int *z, float *y, int n) {
  __shared__ float xs[128];
  __shared__ int zs[128];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 128) {
    typed<float>(x, xs, k);
    typed<int>(z, zs, k);
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      s += xs[j] * zs[(j + t) % 128];
    __syncthreads();
  }
  y[t] = s;
}

// Arguments of the template that the call leaves to be deduced, all or some.
struct Two {
  float a, b;
};
__device__ float operator*(Two v, float f) { return v.a * f - v.b; }
template <typename E> __device__ void deduced(E *to, const E *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
template <int Step, typename E, int N>
__device__ void counted(E (&to)[N], const E *from) {
  for (int i = threadIdx.x; i < N; i += Step)
    to[i] = from[i];
}
__global__ void by_deduction(const Two *x, const float *z, float *y, int n) {
  __shared__ Two xs[64];
  __shared__ float zs[128];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    deduced(xs, x + k);
    counted<64>(zs, z + k);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j ^ (t & 1)] * zs[j + t];
    __syncthreads();
  }
  y[t] = s;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class K> static void run(K kernel, int step) {
  for (int n : multiples(step)) {
    auto x = in<float>("x", n + 256);
    auto y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, kernel, x, y, n);
  }
}
CASE(two_instances) { run(two_instances, 256); }
CASE(uneven_instances) { run(uneven_instances, 192); }
CASE(after_another) { run(after_another, 256); }
CASE(alone) { run(alone, 256); }
CASE(by_deduction) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", 2 * n);
    auto z = in<float>("z", n + 64);
    auto y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, by_deduction, (const Two *)(float *)x, z, y, n);
  }
}
CASE(two_types) {
  for (int n : multiples(128)) {
    auto x = in<float>("x", n);
    auto z = in<int>("z", n);
    auto y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, two_types, x, z, y, n);
  }
}
#endif
