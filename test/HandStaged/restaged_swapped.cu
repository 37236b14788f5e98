// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers to two buffers that change places at the end of each turn.
// REQUIRES: executor
// RUN: %variants --at-least=4 --legal=. --option=--restage \
// RUN:   --option=--allow-occupancy-drop %s
// RUN: %kpipe analyze --arch=sm_86 %s | FileCheck %s
// CHECK: 4 loops: 4 already pipelined

#include <cstdint>
#include <cuda_pipeline.h>

#define CP_ASYNC(dst, src, bytes)                                              \
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(            \
                   static_cast<uint32_t>(__cvta_generic_to_shared(dst))),      \
               "l"(src), "n"(bytes))
#define CP_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

constexpr int T = 128;

__global__ void __launch_bounds__(T)
swapped(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *cur = s[0], *next = s[1];
  float sum = 0;
  CP_ASYNC(&cur[threadIdx.x], &x[threadIdx.x], 4);
  CP_COMMIT();
  CP_WAIT_GROUP(0);
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      CP_ASYNC(&next[threadIdx.x], &x[k + T + threadIdx.x], 4);
    CP_COMMIT();
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    CP_WAIT_GROUP(0);
    __syncthreads();
    float *t = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum;
}

// Rows, a helper, and the wait for the older group.
__device__ void load_rows(float (*to)[16], const float *from, int stride) {
  for (int i = threadIdx.x; i < 16 * 4; i += 64)
    CP_ASYNC(&to[i / 4][i % 4 * 4], from + i / 4 * stride + i % 4 * 4, 16);
}
__global__ void __launch_bounds__(64)
swapped_rows(const float *A, float *y, int K) {
  __shared__ __align__(16) float As[2][16][16];
  float(*cur)[16] = As[0];
  float(*next)[16] = As[1];
  float sum = 0;
  load_rows(cur, A, K);
  CP_COMMIT();
  for (int k = 0; k < K; k += 16) {
    if (k + 16 < K) {
      load_rows(next, A + k + 16, K);
      CP_COMMIT();
      CP_WAIT_GROUP(1);
    } else {
      CP_WAIT_GROUP(0);
    }
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += cur[j][threadIdx.x % 16] * cur[threadIdx.x % 16][j];
    __syncthreads();
    float(*t)[16] = cur;
    cur = next;
    next = t;
  }
  y[threadIdx.x] = sum;
}

// The wait comes first, and a name is made of the pointer.
__global__ void __launch_bounds__(T)
wait_first(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float *read = s[1], *write = s[0];
  float sum = 0;
  __pipeline_memcpy_async(write + threadIdx.x, x + threadIdx.x, 4);
  __pipeline_commit();
  for (int t = 0; t < n / T; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    float *keep = read;
    read = write;
    write = keep;
    if (t + 1 < n / T)
      __pipeline_memcpy_async(write + threadIdx.x, x + (t + 1) * T + threadIdx.x, 4);
    __pipeline_commit();
    const float *mine = read + (threadIdx.x & 1);
    for (int j = 0; j < T - 1; ++j)
      sum += mine[j] * float(threadIdx.x ^ j);
  }
  y[threadIdx.x] = sum;
}

// Two arrays, each with its pointers.
__global__ void __launch_bounds__(T)
two_arrays(const float *x, const float *z, float *y, int n) {
  __shared__ float a[2][T], b[2][T];
  float *ca = a[0], *na = a[1], *cb = b[0], *nb = b[1];
  float sum = 0;
  CP_ASYNC(&ca[threadIdx.x], &x[threadIdx.x], 4);
  CP_ASYNC(&cb[threadIdx.x], &z[threadIdx.x], 4);
  CP_COMMIT();
  for (int k = 0; k < n; k += T) {
    if (k + T < n) {
      CP_ASYNC(&na[threadIdx.x], &x[k + T + threadIdx.x], 4);
      CP_ASYNC(&nb[threadIdx.x], &z[k + T + threadIdx.x], 4);
    }
    CP_COMMIT();
    CP_WAIT_GROUP(1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += ca[j] * cb[j ^ threadIdx.x];
    __syncthreads();
    float *t = ca;
    ca = na;
    na = t;
    float *u = cb;
    cb = nb;
    nb = u;
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
NOT_EMPTY(swapped)
NOT_EMPTY(wait_first)
CASE(swapped_rows) {
  for (int k : multiples(16)) {
    if (!k)
      continue;
    auto a = in<float>("A", 16 * k + 16), y = out<float>("y", 64);
    launch({1, 64}, swapped_rows, a, y, k);
  }
}
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
