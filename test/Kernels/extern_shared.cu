// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `extern __shared__` of a type with a size: nvcc makes one variable of the unit
// of it, whoever declares it, which no launch asks for. It keeps one buffer.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
// RUN: %kpipe analyze --arch=sm_86 %s | FileCheck %s
// CHECK: 4 loops: 3 pipelined, 1 refused
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --check-prefix=SAID

constexpr int T = 64;

struct Tile {
  float a[T];
  float b[T];
};
extern __shared__ Tile of_unit;

// SAID: single buffer, because 'of_unit' is declared 'extern' with a size
__global__ void __launch_bounds__(T)
at_namespace(const float *x, float *y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    of_unit.a[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += of_unit.a[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// SAID: single buffer, because 'inside' is declared 'extern' with a size
__global__ void __launch_bounds__(T)
in_function(const float *x, float *y, int n) {
  extern __shared__ float inside[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    inside[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += inside[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The helper names the same tile.
__device__ float of_tile(int i) {
  extern __shared__ float both[T];
  return both[i] * float(threadIdx.x ^ i);
}
// SAID: single buffer, because 'both' is declared 'extern' with a size
__global__ void __launch_bounds__(T)
in_two_functions(const float *x, float *y, int n) {
  extern __shared__ float both[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    both[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += of_tile(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What the helper reads is the tile before.
__device__ float before() {
  extern __shared__ float seen[T];
  return seen[threadIdx.x ^ 1];
}
__global__ void __launch_bounds__(T)
read_elsewhere(const float *x, float *y, int n) {
  extern __shared__ float seen[T];
  float sum = 0;
  // SAID: [[#@LINE+1]]:3: warning: not pipelined: the body computes before it loads
  for (int i = 0; i < n; i += T) {
    const float v = i ? before() : 0;
    __syncthreads();
    seen[threadIdx.x] = x[i + threadIdx.x] + v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += seen[j];
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define WITH_TILE(K)                                                           \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      launch({1, T, sizeof(Tile)}, K, x, y, n);                                \
    }                                                                          \
  }
WITH_TILE(at_namespace)
WITH_TILE(in_function)
WITH_TILE(in_two_functions)
#endif
