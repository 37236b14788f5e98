// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread fills one place of the tile twice and the last one counts. Two
// asynchronous copies, or one and a plain store, have no order.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
guarded_second(const float4 *__restrict__ x, const float4 *__restrict__ w,
               float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    if (threadIdx.x < 9)
      xs[threadIdx.x] = w[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a copy loop, whose iterations end at one place.
__global__ void __launch_bounds__(T)
copy_loop(const float4 *__restrict__ x, const float4 *__restrict__ w,
          float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int r = 0; r < 3; ++r)
      xs[threadIdx.x] = w[(i + r * 16 + threadIdx.x) % n];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum + x[0].x;
}
__global__ void __launch_bounds__(T)
copy_loop_modulo(const float4 *__restrict__ x, const float4 *__restrict__ w,
                 float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int r = 0; r < 4; ++r)
      xs[r % 2 * T + threadIdx.x] = r < 3 ? x[i + threadIdx.x] : w[i];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// By two helpers, one of them a template; a plain store first.
template <typename E> __device__ void fill(E *to, const E *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
__device__ void patch(float4 *to, const float4 *from, int lane) {
  if (int(threadIdx.x) == lane)
    to[lane] = from[lane];
}
__global__ void __launch_bounds__(T)
two_helpers(const float4 *__restrict__ x, const float4 *__restrict__ w,
            float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    fill<float4>(xs, x + i);
    patch(xs, w + i, i / T);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
store_then_copy(const float4 *__restrict__ x, const float4 *__restrict__ w,
                float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = make_float4(i, 1, 2, 3);
    if (threadIdx.x % 2)
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum + w[0].x;
}
__global__ void __launch_bounds__(T)
copy_then_store(const float4 *__restrict__ x, const float4 *__restrict__ w,
                float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    if (threadIdx.x % 2)
      xs[threadIdx.x].w = w[i + threadIdx.x].y;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Different types, different names of the index.
__global__ void __launch_bounds__(T)
half_of_it(const float4 *__restrict__ x, const float4 *__restrict__ w,
           float *__restrict__ y, int n) {
  __shared__ __align__(16) float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int at = 4 * threadIdx.x, lane = threadIdx.x << 2;
    *reinterpret_cast<float4 *>(&xs[at]) = x[i + threadIdx.x];
    if (i > 0)
      *reinterpret_cast<float2 *>(&xs[lane]) =
          *reinterpret_cast<const float2 *>(&w[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
two_places_legal(const float4 *__restrict__ x, const float4 *__restrict__ w,
                 float *__restrict__ y, int n) {
  __shared__ float4 xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    xs[T + threadIdx.x] = w[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
either_or_legal(const float4 *__restrict__ x, const float4 *__restrict__ w,
                float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (threadIdx.x < 9)
      xs[threadIdx.x] = w[i + threadIdx.x];
    else
      xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define TWO(K)                                                                 \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", 4 * (n + T)), w = in<float>("w", 4 * (n + T));   \
      auto y = out<float>("y", T);                                             \
      launch({1, T}, K, x.as<float4>(), w.as<float4>(), y, n);                 \
    }                                                                          \
  }
TWO(guarded_second)
TWO(copy_loop)
TWO(copy_loop_modulo)
TWO(two_helpers)
TWO(store_then_copy)
TWO(copy_then_store)
TWO(half_of_it)
TWO(two_places_legal)
TWO(either_or_legal)
#endif
