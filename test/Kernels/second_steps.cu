// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in which several things step: indices beside the counter, pointers that
// a store moves. What is not the counter's step becomes a statement.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// RUN: %code %t.cu | FileCheck %s
// RUN: not grep '/[*]~kpipe' %t.cu
// SAYS-COUNT-7: remark: pipelined K-loop

#include <cuda_runtime.h>

constexpr int T = 64, N = 160;

#define COMPUTE                                                                \
  for (int j = 0; j < N; ++j)                                                  \
    acc += s[j] * float(1 + (j + tx) % 3)

#define THREAD                                                                 \
  const int tx = threadIdx.x;                                                  \
  float acc = 0

// Bits of a word, which each step moves.
// CHECK-LABEL: unpacked(
// CHECK: for (int j = 0; j < 8; ++j) {
// CHECK-NEXT: = float(bits & 15);
// CHECK-NEXT: bits >>= 4;
// CHECK-NEXT: }
__global__ void unpacked(const unsigned *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[8 * T];
  THREAD;
  for (int k = 0; k < K; k += T) {
    unsigned bits = A[k + tx];
    for (int j = 0; j < 8; ++j, bits >>= 4) s[tx * 8 + j] = float(bits & 15);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// The counter's step is the second one, and there are three.
// CHECK-LABEL: three_steps(
// CHECK: for (int j = 0; j < 2; j++) {
// CHECK: from += T;
// CHECK-NEXT: to += T;
// CHECK-NEXT: }
__global__ void three_steps(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int j = tx; j < N; j += T)
    s[j] = 0;
  __syncthreads();
  for (int k = 0; k < K; k += N) {
    const float *from = A + k + tx;
    float *to = s + tx;
    for (int j = 0; j < 2; from += T, j++, to += T) {
      *to = *from;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// CHECK-LABEL: moved(
// CHECK: for (int i = 0; i < 2; ++i) {
// CHECK: = *from;
// CHECK: ++to;
__global__ void moved(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int j = tx; j < N; j += T)
    s[j] = 0;
  __syncthreads();
  for (int k = 0; k < K; k += N) {
    const float *from = A + k + 2 * tx;
    float *to = s + 2 * tx;
    for (int i = 0; i < 2; ++i)
      *to++ = *from++;
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Indices, from the last one on, and a sum in the tile.
// CHECK-LABEL: downwards(
// CHECK: --at;
// CHECK-NEXT: ++from;
__global__ void downwards(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[2 * T];
  THREAD;
  const float *end = A + K;
  for (int k = 0; k < K; k += 2 * T) {
    int at = 2 * tx + 1, from = 0;
    for (int i = 0; i < 2; ++i) {
      s[at--] = end[2 * tx + from++ - k - 2 * T] + 1.f;
    }
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      acc += s[j] * float(1 + (j + tx) % 3);
    __syncthreads();
  }
  out[tx] = acc;
}

// Two counters in a header, of which the condition asks for one.
// CHECK-LABEL: two_counters(
// CHECK: int g = k + tx;
// CHECK: for (int i = tx, part = 0;
// CHECK: g += T;
__global__ void two_counters(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    for (int i = tx, g = k + tx; i < N; i += T, g += T)
      s[i] = A[g] * 2;
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// Declared together, and with others behind.
// CHECK-LABEL: declared_together(
// CHECK: int c = tx % 32;
// CHECK: const int first = k + c;
// CHECK: for (int r = tx / 32, part = 0;
__global__ void declared_together(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float t[5][32];
  const float *s = t[0];
  THREAD;
  for (int k = 0; k < K; k += N) {
    int r = tx / 32, c = tx % 32;
    const int first = k + c;
    while (r < 5) {
      t[r][c] = A[first + r * 32] + 1;
      r += T / 32;
    }
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[tx] = acc;
}

// What is no copy keeps its loop.
// CHECK-LABEL: computes(
// CHECK: while (j < N) {
__global__ void computes(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  THREAD;
  for (int k = 0; k < K; k += N) {
    for (int i = tx; i < N; i += T)
      s[i] = A[k + i];
    __syncthreads();
    int j = 0;
    while (j < N) {
      acc += s[j] * float(j);
      ++j;
    }
    __syncthreads();
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
CASE(unpacked) {
  for (int K : {0, T, 5 * T}) {
    auto A = in<unsigned>("A", K + T);
    auto out = harness::out<float>("out", T);
    launch({1, T}, unpacked, A, out, K);
  }
}
FLAT(three_steps)
FLAT(moved)
FLAT(two_counters)
FLAT(declared_together)
CASE(downwards) {
  for (int K : {0, 2 * T, 6 * T}) {
    auto A = in<float>("A", K + 2 * T);
    auto out = harness::out<float>("out", T);
    launch({1, T}, downwards, A, out, K);
  }
}
FLAT(computes)
#endif
