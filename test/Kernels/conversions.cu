// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that change what they copy: dequantised bytes, scaled values, an index
// read from global memory. Registers only.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s

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
#endif
