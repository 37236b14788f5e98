// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header's macros have the names that kpipe introduces.
// REQUIRES: executor
// RUN: %variants --ways=few %s

#include "Inputs/macros.h"

constexpr int T = 64;

__global__ void __launch_bounds__(T)
macros_of_a_header(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
macros_and_vectors(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x - xs[j].w) * (threadIdx.x ^ j) + slot;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#undef stage
#undef stages
#undef slot
#include "adversary.h"
TILES(macros_of_a_header)
VECTORS(macros_and_vectors, float4)
#endif
