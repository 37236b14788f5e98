// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory grows at the launches that kpipe sees. Others stand in
// code that this pass, or this configuration, drops, or are calls that do not
// look like launches. The executor's configuration has LATER.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 --execute-flag=-DLATER %s

#ifdef KPIPE_HARNESS
#undef __CUDA_ARCH__
#endif

constexpr int T = 64;
constexpr int Bytes = T * sizeof(float);

// One launch is here, the other is under a condition.
__global__ void __launch_bounds__(T)
other_configuration(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
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
void first_seen(const float *x, float *y, int n) {
  other_configuration<<<1, T, T * sizeof(float)>>>(x, y, n);
}
void then_hidden(const float *x, float *y, int n) {
#if defined(LATER) && !defined(NEVER)
  other_configuration<<<1, T, T * sizeof(float)>>>(x, y, n);
#endif
}

// The device's pass drops it.
__global__ void __launch_bounds__(T)
other_pass(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
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
void seen_in_both(const float *x, float *y, int n) {
  other_pass<<<1, T, T * sizeof(float)>>>(x, y, n);
}
void seen_by_host(const float *x, float *y, int n) {
#ifndef __CUDA_ARCH__
  other_pass<<<1, T, T * sizeof(float)>>>(x, y, n);
#endif
}

// In a macro that this configuration does not define so.
__global__ void __launch_bounds__(T)
launching_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
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
#ifdef LATER
#define LAUNCH(k, ...) k<<<1, T, Bytes>>>(__VA_ARGS__)
#else
#define LAUNCH(k, ...)
#endif
void seen_with_macro(const float *x, float *y, int n) {
  if (n < 0)
    launching_macro<<<1, T, Bytes>>>(x, y, n);
  LAUNCH(launching_macro, x, y, n);
}

// By a pointer to the kernel, which a template is given.
__global__ void __launch_bounds__(T)
launched_by_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
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
template <typename K>
void launch_it(K kernel, const float *x, float *y, int n) {
  kernel<<<1, T, Bytes>>>(x, y, n);
}
void seen_and_pointed(const float *x, float *y, int n) {
  if (n < 0)
    launched_by_pointer<<<1, T, Bytes>>>(x, y, n);
  launch_it(launched_by_pointer, x, y, n);
}
// By a template that nobody instantiates here.
__global__ void __launch_bounds__(T)
launched_by_template(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  extern __shared__ float xs[];
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
template <int Grid> struct Launcher {
  static void go(const float *x, float *y, int n) {
    launched_by_template<<<Grid, T, T * sizeof(float)>>>(x, y, n);
  }
};
void seen_here(const float *x, float *y, int n) {
  launched_by_template<<<1, T, Bytes>>>(x, y, n);
}

__global__ void __launch_bounds__(T)
one_launch_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
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
void launch_one_legal(const float *x, float *y, int n) {
  one_launch_legal<<<1, T, Bytes>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define BY(K, ...)                                                             \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      __VA_ARGS__;                                                             \
    }                                                                          \
  }
BY(other_configuration, then_hidden(x, y, n))
BY(other_pass, seen_by_host(x, y, n))
BY(launching_macro, seen_with_macro(x, y, n))
BY(launched_by_pointer, seen_and_pointed(x, y, n))
BY(launched_by_template, Launcher<1>::go(x, y, n))
BY(one_launch_legal, launch_one_legal(x, y, n))
#endif
