// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of two buffers that wait for the tile before the one that was asked for
// last: `wait_group 1`, and what the last turn waits for instead.
// REQUIRES: executor
// RUN: %variants --at-least=5 --legal=. --option=--restage \
// RUN:   --option=--allow-occupancy-drop %s
// RUN: %kpipe analyze --arch=sm_86 %s | FileCheck %s
// CHECK: 5 loops: 5 already pipelined

#include <cstdint>
#include <cuda_pipeline.h>

#define CP_ASYNC(dst, src)                                                     \
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(             \
                   static_cast<uint32_t>(__cvta_generic_to_shared(dst))),      \
               "l"(src))
#define CP_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

constexpr int T = 128;

// Each turn commits, so that the last one has an empty group.
__global__ void __launch_bounds__(T)
commits_always(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&s[cur ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    __syncthreads();
    cur ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The last turn waits for all.
__global__ void __launch_bounds__(T)
other_branch_waits(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int cur = 0;
  __pipeline_memcpy_async(&s[cur][threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  for (int k = 0; k < n; k += T) {
    if (k + T < n) {
      __pipeline_memcpy_async(&s[1 - cur][threadIdx.x],
                              &x[k + T + threadIdx.x], 4);
      __pipeline_commit();
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    __syncthreads();
    cur = 1 - cur;
  }
  y[threadIdx.x] = sum;
}

// With braces that declare something.
__global__ void __launch_bounds__(T)
declares_in_branch(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  const int tiles = n / T;
  float sum = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      const float *from = x + (t + 1) * T;
      CP_ASYNC(&s[(t + 1) & 1][threadIdx.x], &from[threadIdx.x]);
      CP_COMMIT();
      CP_WAIT_GROUP(1);
    } else
      CP_WAIT_GROUP(0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[t & 1][j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A condition of its own chooses the wait.
__global__ void __launch_bounds__(T)
chooses_wait(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n) {
      CP_ASYNC(&s[cur ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
      CP_COMMIT();
    }
    if (k + T < n)
      CP_WAIT_GROUP(1);
    else
      CP_WAIT_GROUP(0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    __syncthreads();
    cur ^= 1;
  }
  y[threadIdx.x] = sum;
}

// Two arrays, and a tile of each is one group.
__global__ void __launch_bounds__(T)
two_arrays(const float *x, const float *z, float *y, int n) {
  __shared__ float a[2][T], b[2][T];
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&a[0][threadIdx.x], &x[threadIdx.x]);
  CP_ASYNC(&b[0][threadIdx.x], &z[threadIdx.x]);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n) {
      CP_ASYNC(&a[cur ^ 1][threadIdx.x], &x[k + T + threadIdx.x]);
      CP_ASYNC(&b[cur ^ 1][threadIdx.x], &z[k + T + threadIdx.x]);
    }
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += a[cur][j] * b[cur][j ^ threadIdx.x];
    __syncthreads();
    cur ^= 1;
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define NOT_EMPTY(K)                                                           \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      if (!n)                                                                  \
        continue; /* the first tile is copied in any case */                   \
      auto x = in<float>("x", n + T), y = out<float>("y", T);                  \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
NOT_EMPTY(commits_always)
NOT_EMPTY(other_branch_waits)
NOT_EMPTY(declares_in_branch)
NOT_EMPTY(chooses_wait)
CASE(two_arrays) {
  for (int n : multiples(T)) {
    if (!n)
      continue;
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, two_arrays, x, z, y, n);
  }
}
#endif
