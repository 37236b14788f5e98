// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that are not a plain `__syncthreads();`: in helpers, in macros that
// are one statement, and behind a condition that spares the last tile one.
// REQUIRES: executor
// RUN: %variants --at-least=8 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c ': remark:' | grep -x 8

constexpr int T = 64;

#define SYNC()                                                                 \
  do {                                                                         \
    __syncthreads();                                                           \
  } while (0)

__device__ float block_sum(float v, float *scratch) {
  scratch[threadIdx.x] = v;
  __syncthreads();
  v = scratch[threadIdx.x ^ 1] + scratch[threadIdx.x ^ 2];
  __syncthreads();
  return v;
}
struct Reduction {
  float *scratch, most;
  __device__ Reduction(float *s) : scratch(s), most(-99) {}
  __device__ void add(float v) {
    v = block_sum(v, scratch);
    most = v > most ? v : most;
  }
};
__device__ void sync() { __syncthreads(); }

__global__ void __launch_bounds__(T)
    macros(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    SYNC();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    SYNC();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    blocks(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    {
      sync();
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sync();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    not_the_last(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    if (i + T < n)
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    not_the_first(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i > 0) {
      __syncthreads();
    }
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    reduced(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], scratch[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = 0;
    for (int j = 0; j < T; ++j)
      s += xs[j] * (threadIdx.x ^ j);
    sum += block_sum(s, scratch);
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
    reduced_by_object(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T], scratch[T];
  Reduction most(scratch);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = 0;
    for (int j = 0; j < T; ++j)
      s += xs[j] * (threadIdx.x ^ j);
    most.add(s);
  }
  y[threadIdx.x] = most.most;
}
__global__ void __launch_bounds__(T)
    reduced_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], scratch[T];
  float sum = 0, last = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = block_sum(xs[threadIdx.x ^ 1], scratch);
    for (int j = 0; j < T; ++j)
      s += xs[j] * (threadIdx.x ^ j);
    float t = block_sum(s, scratch);
    if (t > last)
      last = t;
    sum += t;
  }
  y[threadIdx.x] = sum + last;
}
__global__ void __launch_bounds__(T)
    condition_of_compute(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T], scratch[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = 0;
    for (int j = 0; j < T; ++j)
      s += xs[j] * (threadIdx.x ^ j);
    scratch[threadIdx.x] = s;
    __syncthreads();
    sum += scratch[threadIdx.x ^ 1];
    if (i + T < n)
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define RUN(KERNEL)                                                            \
  CASE(KERNEL) {                                                               \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      launch({1, T}, KERNEL, x, y, n);                                         \
    }                                                                          \
  }
RUN(macros)
RUN(blocks)
RUN(not_the_last)
RUN(not_the_first)
RUN(reduced)
RUN(reduced_by_object)
RUN(reduced_twice)
RUN(condition_of_compute)
#endif
