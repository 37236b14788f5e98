// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The author promises that no later iteration loads what the loop stores. The
// same iteration may have read it, in front of its barrier.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
neighbour_of_this_tile(const float *x, float *w, int n) {
  __shared__ float xs[T];
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    float old = w[i + (threadIdx.x ^ 1)];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float sum = old;
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[i + threadIdx.x] = sum;
    __syncthreads();
  }
}
// In place: the tile itself is the output's.
__global__ void __launch_bounds__(T)
in_place(const float *x, float *w, int n) {
  __shared__ float xs[T];
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = w[i + (threadIdx.x ^ 1)];
    __syncthreads();
    float sum = x[i];
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[i + threadIdx.x] = sum;
    __syncthreads();
  }
}
__device__ float2 both(const float *w, int at) {
  return make_float2(w[at ^ 1], w[at ^ 2]);
}
__global__ void __launch_bounds__(T)
neighbours_by_helper(const float *x, float *w, int n) {
  __shared__ float xs[T];
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    float2 old = both(w, i + threadIdx.x);
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float sum = old.x - 2 * old.y;
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[i + threadIdx.x] = sum;
    __syncthreads();
  }
}
// Read by the compute, stored by it behind a barrier of its own.
__global__ void __launch_bounds__(T)
barrier_in_compute(const float *x, float *w, int n) {
  __shared__ float xs[T];
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float sum = w[i + (threadIdx.x ^ 1)];
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
    w[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(T)
own_element_promised_legal(const float *x, float *w, int n) {
  __shared__ float xs[T];
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
UPDATES(neighbour_of_this_tile)
UPDATES(in_place)
UPDATES(neighbours_by_helper)
UPDATES(barrier_in_compute)
UPDATES(own_element_promised_legal)
#endif
