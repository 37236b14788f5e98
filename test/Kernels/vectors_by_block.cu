// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors that are copied in strides of a block of unknown size. How many a
// thread copies is not known, so no registers can hold them; but no thread
// copies to one place twice, so they are asynchronous.
// REQUIRES: executor
// RUN: %variants --ways=few --at-least=6 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not=warning:

constexpr int Rows = 32, Cols = 16, Vectors = Rows * Cols / 4;
using Tile = float[Rows][Cols];

// Differs between threads, so that a mixed-up element shows.
__device__ float total(const float *tile) {
  float sum = 0;
  for (int j = 0; j < Rows * Cols; ++j)
    sum += tile[j] * float((threadIdx.x + j) % 61);
  return sum;
}

// CHECK: [[#@LINE+4]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void numbered(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) Tile xs;
  float sum = 0;
  for (int k = 0; k < n; k += Rows * Cols) {
    for (int i = threadIdx.x; i < Vectors; i += blockDim.x) {
      const int r = i / 4, c = (i % 4) * 4;
      *(float4 *)&xs[r][c] = *(const float4 *)&x[k + r * Cols + c];
    }
    __syncthreads();
    sum += total(&xs[0][0]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The index is that of the vector's first element.
// CHECK: [[#@LINE+4]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void of_elements(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) Tile xs;
  float sum = 0;
  for (int k = 0; k < n; k += Rows * Cols) {
    for (int i = threadIdx.x * 4; i < Rows * Cols; i += blockDim.x * 4) {
      const int r = i / Cols, c = i % Cols;
      *(float4 *)&xs[r][c] = *(const float4 *)&x[k + i];
    }
    __syncthreads();
    sum += total(&xs[0][0]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void of_two_axes(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float xs[Rows * Cols];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x, step = blockDim.x * blockDim.y;
  float sum = 0;
  for (int k = 0; k < n; k += Rows * Cols) {
    for (unsigned i = tid; i < Vectors; i += step) {
      const unsigned r = i >> 2, c = (i & 3) << 2;
      *(float4 *)&xs[r * Cols + c] = *(const float4 *)&x[k + r * Cols + c];
    }
    __syncthreads();
    sum += total(xs);
    __syncthreads();
  }
  y[tid] = sum;
}

// CHECK: [[#@LINE+4]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void on_two_axes(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) Tile xs;
  float sum = 0;
  for (int k = 0; k < n; k += Rows * Cols) {
    for (int r = threadIdx.y; r < Rows; r += blockDim.y)
      for (int c = threadIdx.x * 2; c < Cols; c += blockDim.x * 2)
        *(float2 *)&xs[r][c] = *(const float2 *)&x[k + r * Cols + c];
    __syncthreads();
    sum += total(&xs[0][0]);
    __syncthreads();
  }
  y[threadIdx.y * blockDim.x + threadIdx.x] = sum;
}

// A block of less than a warp would never end.
// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void by_warps(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float xs[Rows * Cols];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  float sum = 0;
  for (int k = 0; k < n; k += Rows * Cols) {
    for (int r = warp; r < Rows; r += warps)
      for (int c = lane * 4; c < Cols; c += 32 * 4)
        *(float4 *)&xs[r * Cols + c] = *(const float4 *)&x[k + r * Cols + c];
    __syncthreads();
    sum += total(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages of xs, cp.async
__global__ void with_edges(const float *__restrict__ x, float *__restrict__ y, int n,
                           int rows) {
  __shared__ __align__(16) Tile xs;
  float sum = 0;
  for (int k = 0; k < n; k += Rows * Cols) {
    for (int i = threadIdx.x; i < Vectors; i += blockDim.x) {
      const int r = i / 4, c = i % 4 * 4;
      if (r < rows)
        *(float4 *)&xs[r][c] = *(const float4 *)&x[k + r * Cols + c];
      else
        *(float4 *)&xs[r][c] = make_float4(0, 0, 0, 0);
    }
    __syncthreads();
    sum += total(&xs[0][0]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define RUN(NAME, BLOCK, ...)                                                  \
  CASE(NAME) {                                                                 \
    for (int n : multiples(Rows * Cols)) {                                     \
      auto x = in<float>("x", n), y = out<float>("y", 96);                     \
      launch({1, BLOCK}, NAME, x, y, n, ##__VA_ARGS__);                        \
    }                                                                          \
  }
RUN(numbered, 96)
RUN(of_elements, 96)
RUN(of_two_axes, dim3(12, 5))
RUN(on_two_axes, dim3(3, 7))
RUN(by_warps, 96)
RUN(with_edges, 96, 29)
#endif
