// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macros of a header name what the header declares, by names that kpipe would
// introduce around them.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s

#include "Inputs/names.h"

constexpr int T = 64;

__global__ void __launch_bounds__(T)
named_in_compute(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (SCALE + (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
named_in_load(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] * ADDED + SCALE;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (ADDED + (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
functions_named(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + SHIFTED(i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (SHIFTED(j) + (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
namespace_named(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x - xs[j].w) * (LANES + (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
unnamed_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[T];
  float sum = SCALE;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + LANES;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(named_in_compute)
TILES(named_in_load)
TILES(functions_named)
VECTORS(namespace_named, float4)
TILES(unnamed_legal)
#endif
