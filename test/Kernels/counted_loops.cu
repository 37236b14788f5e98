// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that step as they go: counters in front of their loops. They are read as
// loops that count in their headers.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s
// RUN: not grep '/[*]~kpipe' %t.cu
// SAYS-COUNT-9: remark: pipelined K-loop

#include <cuda_runtime.h>

constexpr int T = 64, N = 160;

#define COMPUTE                                                                \
  for (int j = 0; j < N; ++j)                                                  \
    acc += s[j] * float(1 + (j + tx) % 3)

#define THREAD                                                                 \
  const int tx = threadIdx.x;                                                  \
  float acc = 0

// CHECK-LABEL: by_while(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void by_while(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
    while (i < N) {
      s[i] = A[k + i];
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// CHECK-LABEL: by_while_of_blocks(
// CHECK: // this thread's first one
// CHECK: for (unsigned j = threadIdx.x, part = 0;
// CHECK: j = j + blockDim.x, ++part)
__global__ void by_while_of_blocks(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  int k = 0;
  while (k < K) {
    unsigned j = threadIdx.x; // this thread's first one
    while (j < N)
    {
      const float v = A[k + j];
      s[j] = v * 2 + 1;

      j = j + blockDim.x; // the next one
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
    k += N;
  }
  out[tx] = acc;
}

// CHECK-LABEL: in_front(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void in_front(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
#pragma unroll
    for (; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// A loop in a loop, of which either counts so.
// CHECK-LABEL: rows(
// CHECK: for (int r = 0; r < 4; ++r)
// CHECK: for (int c = tx, part = 0;
__global__ void rows(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float t[4][40];
  const float *s = t[0];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int r = 0;
    while (r < 4) {
      int c = tx;
      while (c < 40) {
        t[r][c] = A[k + r * 40 + c];
        c += T;
      }
      ++r;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Of two instances.
// CHECK-LABEL: instances(
// CHECK: for (int i = threadIdx.x, part = 0;
template <int M>
__global__ void instances(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[M];
  THREAD;
  for (int k = 0; k < K; k += M) {
    int i = threadIdx.x;
    while (i < M) {
      s[i] = A[k + i];
      i += T;
    }
    __syncthreads();
    for (int j = 0; j < M; ++j)
      acc += s[j] * float(1 + (j + tx) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

// Both arms store.
// CHECK-LABEL: either_way(
// CHECK: for (int i = tx;
__global__ void either_way(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
    while (i < N) {
      if (k + i < K)
        s[i] = A[k + i];
      else
        s[i] = 0;
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// The header has no step.
// CHECK-LABEL: step_in_body(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void step_in_body(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    for (int i = tx; i < N;) {
      s[i] = A[k + i] + 1;
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Nor does it begin.
// CHECK-LABEL: only_condition(
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void only_condition(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int i = tx;
    for (; i < N;) {
      s[i] = A[k + i] + 1;
      i += T;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// The name is another variable's behind the loop.
// CHECK-LABEL: same_name(
// CHECK: acc += float(i);
__global__ void same_name(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  const int i = tx + 7;
  for (int k = 0; k < K; k += N) {
    {
      int i = tx;
      while (i < N) {
        s[i] = A[k + i];
        i += T;
      }
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
    acc += float(i);
  }
  out[tx] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define FLAT(kernel)                                                           \
  CASE(kernel) {                                                               \
    for (int K : {0, N, 4 * N}) {                                              \
      auto A = in<float>("A", K + N);                                          \
      auto out = harness::out<float>("out", T);                                \
      launch({1, T}, kernel, A, out, K);                                       \
    }                                                                          \
  }
FLAT(by_while)
FLAT(by_while_of_blocks)
FLAT(in_front)
FLAT(rows)
FLAT(either_way)
FLAT(step_in_body)
FLAT(only_condition)
FLAT(same_name)
CASE(instance) {
  for (int K : {0, 128, 384}) {
    auto A = in<float>("A", K + 128);
    auto out = harness::out<float>("out", T);
    launch({1, T}, instances<128>, A, out, K);
    launch({1, T}, instances<96>, A, out, K);
  }
}
#else
template __global__ void instances<128>(const float *, float *, int);
template __global__ void instances<96>(const float *, float *, int);
void run(const float *A, float *out, int K) { by_while_of_blocks<<<1, T>>>(A, out, K); }
#endif
