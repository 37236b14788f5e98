// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load, its barrier or the closing barrier stand in a branch whose condition
// is a constant: which one runs is known, so its statements are the body's own.
// A static assertion keeps out an instance that would take the other one.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s
// RUN: not grep '/[*]~kpipe' %t.cu
// SAYS-COUNT-6: remark: pipelined K-loop

#include <cuda_pipeline.h>

constexpr int T = 64;

// One branch is staged by hand, the other one is not.
// CHECK: template <int Stages>
// CHECK-LABEL: by_stages(
// CHECK: static_assert(!(Stages > 1), "pipelined for this branch only");
// CHECK: static_assert(Stages < 2, "pipelined for this branch only");
// CHECK: y[threadIdx.x] = sum;
template <int Stages>
__global__ void __launch_bounds__(T)
by_stages(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Stages][T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int at = i / T % Stages;
    if constexpr (Stages > 1) {
      // The next tile.
      if (i + T < n)
        xs[(at + 1) % Stages][threadIdx.x] = x[i + T + threadIdx.x];
      __syncthreads();
    } else {
      float v = x[i + threadIdx.x];
      xs[at][threadIdx.x] = v * 2;
      __syncthreads();
    }
    for (int j = 0; j < T; ++j)
      sum += xs[at][j] * float((threadIdx.x ^ j) & 7);
    if constexpr (Stages < 2) {
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}

// No template: the condition is the file's own constant.
// CHECK-LABEL: by_constant(
// CHECK: static_assert(Direct, "pipelined for this branch only");
#define Direct true
__global__ void __launch_bounds__(T)
by_constant(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Direct) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((threadIdx.x ^ j) & 7);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A plain condition, and a number for one.
// CHECK-LABEL: by_number(
// CHECK: static_assert(!!(Kind), "pipelined for this branch only");
// CHECK: static_assert(!(Kind == 3), "pipelined for this branch only");
template <int Kind>
__global__ void __launch_bounds__(T)
by_number(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    if (Kind)
      __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((threadIdx.x ^ j) & 7);
    if (Kind == 3) {
      sum *= 0.5f;
    } else
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A chain of conditions, and one within another.
// CHECK-LABEL: by_chain(
// CHECK: static_assert(!(Mode == 0), "pipelined for this branch only");
// CHECK: static_assert(Mode == 1, "pipelined for this branch only");
// CHECK: static_assert(Wide, "pipelined for this branch only");
template <int Mode, bool Wide>
__global__ void __launch_bounds__(T)
by_chain(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Mode == 0) {
      xs[threadIdx.x] = 1;
      __syncthreads();
    } else if constexpr (Mode == 1) {
      float v = x[i + threadIdx.x];
      if constexpr (Wide) {
        xs[threadIdx.x] = v;
        __syncthreads();
      }
      sum += v;
    } else {
      xs[threadIdx.x] = 2;
      __syncthreads();
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((threadIdx.x ^ j) & 7);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Asynchronous copies that are waited for at once.
// CHECK-LABEL: copies_at_once(
// CHECK: static_assert(!(Stages > 1), "pipelined for this branch only");
template <int Stages>
__global__ void __launch_bounds__(T)
copies_at_once(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Stages * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Stages > 1) {
      __pipeline_memcpy_async(&xs[i % Stages * T + threadIdx.x],
                              &x[i + threadIdx.x], 4);
      __pipeline_commit();
      __pipeline_wait_prior(Stages - 1);
      __syncthreads();
    } else {
      __pipeline_memcpy_async(&xs[threadIdx.x], &x[i + threadIdx.x], 4);
      __pipeline_commit();
      __pipeline_wait_prior(0);
      __syncthreads();
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((threadIdx.x ^ j) & 7);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Instances that take the same branch.
// CHECK-LABEL: of_two(
// CHECK: static_assert(Stages > 0, "pipelined for this branch only");
template <int Stages>
__global__ void __launch_bounds__(T)
of_two(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if constexpr (Stages > 0) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
    }
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((threadIdx.x ^ j) & 7) * Stages;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define SUMS(NAME, ...)                                                        \
  CASE(NAME) {                                                                 \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      auto kernel = __VA_ARGS__;                                               \
      launch({1, T}, kernel, x, y, n);                                         \
    }                                                                          \
  }
SUMS(stages, by_stages<1>)
SUMS(constant, by_constant)
SUMS(number, by_number<1>)
SUMS(chain, by_chain<1, true>)
SUMS(copies, copies_at_once<1>)
SUMS(one, of_two<1>)
SUMS(two, of_two<2>)
#else
template __global__ void by_stages<1>(const float *, float *, int);
template __global__ void by_number<1>(const float *, float *, int);
template __global__ void by_chain<1, true>(const float *, float *, int);
template __global__ void copies_at_once<1>(const float *, float *, int);
template __global__ void of_two<1>(const float *, float *, int);
template __global__ void of_two<2>(const float *, float *, int);
#endif
