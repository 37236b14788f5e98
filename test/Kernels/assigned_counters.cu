// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters that are declared once, as C has it, and set by each loop: those of
// copies get one of their own.
// REQUIRES: executor
// RUN: %variants --at-least=8 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s
// SAYS-COUNT-8: remark: pipelined K-loop: 2 stages

#include <cuda_runtime.h>

constexpr int T = 64, N = 160;

// One counter for all loops of the kernel.
// CHECK-LABEL: of_kernel(
// CHECK: int i, k;
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
// CHECK: for (i = 0; i < N; ++i)
__global__ void of_kernel(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  const int tx = threadIdx.x;
  float acc = 0;
  int i, k;
  for (k = 0; k < K; k += N) {
    for (i = tx; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    for (i = 0; i < N; ++i)
      acc += s[i] * float(1 + (i + tx) % 3);
    __syncthreads();
  }
  for (i = 0; i < 3; ++i)
    acc += float(i);
  out[tx] = acc;
}

// Declared for the copy alone: nothing needs it any more.
// CHECK-LABEL: of_copy(
// CHECK-NOT: int i;
// CHECK: for (int i = tx, part = 0; {{.*}} i += T, ++part)
__global__ void of_copy(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  const int tx = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < K; k += N) {
    int i;
    for (i = tx; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      acc += s[j] * float(1 + (j + tx) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

// Rows and columns, each with its own.
// CHECK-LABEL: rows(
// CHECK: for (int r = 0; r < 4; ++r)
// CHECK: for (unsigned c = tx
__global__ void rows(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[4][40];
  const int tx = threadIdx.x;
  float acc = 0;
  int r;
  unsigned c;
  for (int k = 0; k < K; k += N) {
    for (r = 0; r < 4; ++r)
      for (c = tx; c < 40u; c += T)
        s[r][c] = A[k + r * 40 + c];
    __syncthreads();
    for (r = 0; r < 4; ++r)
      for (c = 0; c < 40u; ++c)
        acc += s[r][c] * float(1 + (c + tx + r) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

// Two copies that share one.
// CHECK-LABEL: two_copies(
// CHECK-COUNT-2: for (int i = tx, part = 0;
__global__ void two_copies(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N], w[N];
  const int tx = threadIdx.x;
  float acc = 0;
  int i;
  for (int k = 0; k + N < K; k += N) {
    for (i = tx; i < N; i += T)
      s[i] = A[k + i];
    for (i = tx; i < N; i += T)
      w[i] = A[k + i + N] * 0.5f;
    __syncthreads();
    for (i = 0; i < N; ++i)
      acc += s[i] * w[(i + tx) % N];
    __syncthreads();
  }
  out[tx] = acc;
}

// As many steps as threads leave, and a shorter number.
// CHECK-LABEL: short_counter(
// CHECK: for (short i = tx
template <typename V>
__global__ void short_counter(const V *__restrict__ A, V *__restrict__ out, int K) {
  __shared__ V s[N];
  const int tx = threadIdx.x;
  V acc = 0;
  short i;
  for (int k = 0; k < K; k += N) {
    for (i = tx; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    for (i = 0; i < N; ++i)
      acc += s[i] * V(1 + (i + tx) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

// Two loops over tiles, whose copies alone have it.
// CHECK-LABEL: two_loops(
// CHECK-COUNT-2: for (int i = tx, part = 0;
// CHECK-LABEL: words_of_types(
__global__ void two_loops(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N], w[N];
  const int tx = threadIdx.x;
  float acc = 0;
  int i;
  for (int k = 0; k < K; k += N) {
    for (i = tx; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      acc += s[j] * float(1 + (j + tx) % 3);
    __syncthreads();
  }
  for (int k = 0; k < K; k += N) {
    for (i = tx; i < N; i += T)
      w[i] = A[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      acc -= w[j] * float(j % 2);
    __syncthreads();
  }
  out[tx] = acc;
}

// The words of the declaration, whose value nobody asks for.
// CHECK: size_t i = 0;
// CHECK: for (size_t i = tx, part = 0;
__global__ void words_of_types(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  const int tx = threadIdx.x;
  float acc = 0;
  size_t i = 0;
  for (int k = 0; k < K; k += N) {
    for (i = tx; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    for (i = 0; i < N; ++i)
      acc += s[i] * float(1 + (i + tx) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define FLAT(kernel)                                                           \
  CASE(kernel) {                                                               \
    for (int K : {0, N, 5 * N}) {                                              \
      auto A = in<float>("A", K + 2 * N);                                      \
      auto out = harness::out<float>("out", T);                                \
      launch({1, T}, kernel, A, out, K);                                       \
    }                                                                          \
  }
FLAT(of_kernel)
FLAT(of_copy)
FLAT(rows)
FLAT(two_copies)
FLAT(two_loops)
FLAT(words_of_types)
CASE(short_counter) {
  for (int K : {0, N, 5 * N}) {
    auto A = in<float>("A", K + 2 * N);
    auto out = harness::out<float>("out", T);
    launch({1, T}, short_counter<float>, A, out, K);
  }
}
#else
template __global__ void short_counter<float>(const float *, float *, int);
#endif
