// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that change what they copy: dequantised bytes, scaled values, an index
// read from global memory. Registers only.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: sed -e '/^#ifdef/,$d' -e '/^\/\//d' %s > %t/in.cu
// RUN: %kpipe rewrite %t/in.cu --arch=sm_86 -o %t/out.cu
// RUN: %code %t/out.cu | FileCheck %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
convert_int8(const signed char *x, const float *scales, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int t = 0; t * T < n; ++t) {
    xs[threadIdx.x] = float(x[t * T + threadIdx.x]) * scales[t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
convert_gather(const float *__restrict__ x, const int *__restrict__ index,
               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    int at = __ldg(&index[i + threadIdx.x]);
    xs[threadIdx.x] = __ldg(x + at);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What the store converts anyway waits as it was loaded.
__global__ void __launch_bounds__(T)
convert_late(const unsigned char *__restrict__ q, const short *__restrict__ z,
             float *__restrict__ y, int n) {
  __shared__ float qs[2 * T];
  __shared__ double zs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    qs[threadIdx.x] = q[i + threadIdx.x];
    qs[T + threadIdx.x] = -q[i + threadIdx.x];
    short once = z[i + threadIdx.x];
    zs[threadIdx.x] = (once);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (qs[j] + 2 * qs[T + j]) * float(threadIdx.x + j) - float(zs[j]) * j;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}convert_late(
// CHECK: unsigned char qs_reg;
// CHECK-NEXT: float qs_reg_2;
// CHECK-NEXT: short zs_reg;
// CHECK: qs_reg = q[i + threadIdx.x];
// CHECK-NEXT: qs_reg_2 = -q[i + threadIdx.x];
// CHECK: qs[threadIdx.x] = qs_reg;

// What fills the rest is no byte.
__global__ void __launch_bounds__(T)
convert_filled(const signed char *__restrict__ q, float *__restrict__ y, int n) {
  __shared__ float qs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    if (i + int(threadIdx.x) < n)
      qs[threadIdx.x] = q[i + threadIdx.x];
    else
      qs[threadIdx.x] = 0.5f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += qs[j] * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}convert_filled(
// CHECK: float qs_reg;

// One text for all instantiations: what one of them converts another copies.
template <typename Q>
__global__ void __launch_bounds__(T)
convert_any(const Q *__restrict__ q, const short *__restrict__ z,
            float *__restrict__ y, int n) {
  __shared__ float qs[2][T], zs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 2 * T) {
    for (int j = 0; j < 2; ++j)
      qs[j][threadIdx.x] = q[i + j * T + threadIdx.x];
    zs[threadIdx.x] = z[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += qs[0][j] * float(threadIdx.x + j) - qs[1][j] + zs[j] * j;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^}}convert_any(
// CHECK: float qs_reg[2];
// CHECK-NEXT: short zs_reg;

template __global__ void convert_any<signed char>(const signed char *,
                                                  const short *, float *, int);
template __global__ void convert_any<float>(const float *, const short *,
                                            float *, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(convert_int8) {
  for (int n : multiples(T)) {
    auto x = in<signed char>("x", n);
    auto s = in<float>("scales", n / T), y = out<float>("y", T);
    launch({1, T}, convert_int8, x, s, y, n);
  }
}
CASE(convert_gather) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 100), y = out<float>("y", T);
    auto i = in<int>("index", n, [](size_t i) { return int(i * 37 % 100); });
    launch({1, T}, convert_gather, x, i, y, n);
  }
}
CASE(convert_late) {
  for (int n : multiples(T)) {
    auto q = in<unsigned char>("q", n);
    auto z = in<short>("z", n);
    auto y = out<float>("y", T);
    launch({1, T}, convert_late, q, z, y, n);
  }
}
CASE(convert_filled) {
  for (int n : sizes(T)) {
    auto q = in<signed char>("q", n);
    auto y = out<float>("y", T);
    launch({1, T}, convert_filled, q, y, n);
  }
}
template <typename Q> void run() {
  for (int n : multiples(2 * T)) {
    auto q = in<Q>("q", n);
    auto z = in<short>("z", n);
    auto y = out<float>("y", T);
    launch({1, T}, convert_any<Q>, q, z, y, n);
  }
}
CASE(convert_any) {
  run<signed char>();
  run<float>();
}
#endif
