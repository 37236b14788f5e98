// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What touches the staged arrays after the loop: a read of the last tile, a
// reduction that reuses the array, and a second tile loop on the same array.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
read_after(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x - j);
    __syncthreads();
  }
  // The last tile, one place further: launched with n > 0.
  y[threadIdx.x] = sum + xs[(threadIdx.x + 1) % T];
}

__global__ void __launch_bounds__(T)
reduce_after(const float *x, float *y, int n) {
  __shared__ float buf[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    buf[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += buf[j ^ threadIdx.x] * float(j);
    __syncthreads();
  }
  buf[threadIdx.x] = sum;
  __syncthreads();
  for (int s = T / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s)
      buf[threadIdx.x] += buf[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    y[0] = buf[0];
}

__global__ void __launch_bounds__(T)
two_loops(const float *x, const float *z, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * float(threadIdx.x);
    __syncthreads();
  }
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = z[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum -= tile[j ^ threadIdx.x] * 0.5f;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(read_after) {
  for (int n : multiples(T)) {
    if (n == 0)
      continue;
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, read_after, x, y, n);
  }
}
CASE(reduce_after) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", 1);
    launch({1, T}, reduce_after, x, y, n);
  }
}
CASE(two_loops) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), z = in<float>("z", n), y = out<float>("y", T);
    launch({1, T}, two_loops, x, z, y, n);
  }
}
#endif
