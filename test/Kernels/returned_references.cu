// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `std::min` and `std::max`, which take and give references: of two values that
// are made for the call nobody else knows.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -n 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// SAYS-COUNT-4: remark: pipelined K-loop: 2 stages

#include <algorithm>
#include <cuda_runtime.h>

constexpr int T = 64, N = 128;

// The end of the last tile.
__global__ void last_tile(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  float acc = 0;
  for (int k = 0; k < K; k += N) {
    int count = std::min(+N, K - k);
    for (int j = threadIdx.x; j < count; j += T)
      s[j] = A[k + j];
    __syncthreads();
    for (int j = 0; j < count; ++j)
      acc += s[j] * float(j + threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

// An index that stays in the array, and a sum that keeps the greatest.
__global__ void clamped(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[N];
  float most = 0;
  for (int k = 0; k < K; k += N) {
    for (int j = threadIdx.x; j < N; j += T)
      s[j] = A[std::min(k + j, K - 1)];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      most = std::max(most, s[j] - float(j % 5));
    __syncthreads();
  }
  out[threadIdx.x] = most;
}

// Read behind the barrier; one of two elements.
__global__ void of_elements(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T];
  float acc = 0;
  for (int k = 0; k < K; k += T) {
    s[threadIdx.x] = std::max(A[k + threadIdx.x], 0.5f);
    __syncthreads();
    int end = std::min(+T, K - k);
    for (int j = 0; j < end; ++j)
      acc += std::min(s[j], s[(j + 1) % T]);
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

// By a function of the author's.
template <typename V> __device__ const V &lesser(const V &a, const V &b) {
  if (b < a)
    return b;
  return a;
}

__global__ void of_authors(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[T];
  float acc = 0;
  for (int k = 0; k < K; k += T) {
    s[threadIdx.x] = A[lesser(k + int(threadIdx.x), K - 1)];
    __syncthreads();
    for (int j = 0; j < lesser(T + 0, K - k); ++j)
      acc += lesser(s[j], s[(j + 1) % T]);
    __syncthreads();
  }
  out[threadIdx.x] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define FLAT(kernel)                                                           \
  CASE(kernel) {                                                               \
    for (int K : {0, 1, N, 2 * N + 7, 4 * N}) {                                \
      auto A = in<float>("A", K + N);                                          \
      auto out = harness::out<float>("out", T);                                \
      launch({1, T}, kernel, A, out, K);                                       \
    }                                                                          \
  }
FLAT(last_tile)
FLAT(clamped)
FLAT(of_elements)
FLAT(of_authors)
#endif
