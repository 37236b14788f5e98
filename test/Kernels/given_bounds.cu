// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers whose copy loops end where their callers say: of a flat tile, the
// rows do not meet, since the columns end before the next one begins.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -n 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// SAYS-COUNT-4: remark: pipelined K-loop: 2 stages of {{.*}}, cp.async

#include <cuda_runtime.h>

constexpr int W = 16, R = 8;

__device__ void fill(float *to, const float *from, int ld, int rows, int cols) {
  for (int r = threadIdx.y; r < rows; r += 4)
    for (int c = threadIdx.x; c < cols; c += 8)
      to[r * W + c] = from[r * ld + c];
}

__device__ void fill_up_to(float *to, const float *from, int ld, int rows, unsigned last) {
  for (int r = 0; r < rows; ++r)
    for (unsigned c = threadIdx.x + 8 * threadIdx.y; c <= last; c += 32)
      to[r * W + c] = from[r * ld + c];
}

__device__ void fill_padded(float *to, int stride, const float *from, int ld, int rows, int cols) {
  for (int r = threadIdx.y; r < rows; r += 4)
    for (int c = threadIdx.x; c < cols; c += 8)
      to[r * stride + c] = from[r * ld + c];
}

#define COMPUTE(S, STRIDE)                                                     \
  for (int i = 0; i < R * W; ++i)                                              \
    acc += S[i / W * (STRIDE) + i % W] * float(1 + (i + threadIdx.x) % 3)

__global__ void flat(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[R * W];
  float acc = 0;
  for (int k = 0; k < K; k += W) {
    fill(s, A + k, K, R, W);
    __syncthreads();
    COMPUTE(s, W);
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

__global__ void two_parts(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[R * W];
  float acc = 0;
  for (int k = 0; k < K; k += W) {
    fill(s, A + k, K, R / 2, W);
    fill(s + R / 2 * W, A + R / 2 * K + k, K, R / 2, W);
    __syncthreads();
    COMPUTE(s, W);
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

__global__ void up_to(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[R * W];
  float acc = 0;
  for (int k = 0; k < K; k += W) {
    fill_up_to(s, A + k, K, R, W - 1);
    __syncthreads();
    COMPUTE(s, W);
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

__global__ void padded(const float *__restrict__ A, float *__restrict__ out, int K) {
  __shared__ float s[R * (W + 1)];
  float acc = 0;
  for (int k = 0; k < K; k += W) {
    fill_padded(s, W + 1, A + k, K, R, W);
    __syncthreads();
    COMPUTE(s, W + 1);
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define FLAT(kernel)                                                           \
  CASE(kernel) {                                                               \
    for (int K : multiples(W)) {                                               \
      auto A = in<float>("A", R * K);                                          \
      auto out = harness::out<float>("out", 32);                               \
      launch({1, dim3(8, 4)}, kernel, A, out, K);                              \
    }                                                                          \
  }
FLAT(flat)
FLAT(two_parts)
FLAT(up_to)
FLAT(padded)
#endif
