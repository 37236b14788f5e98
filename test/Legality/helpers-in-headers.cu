// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a header that fill tiles: their clones stand in this file, where
// their text must mean the same.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:
// What rules refuse the check of the result refuses as well, or it is no error.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNRULED
// UNRULED-NOT: remark: pipelined
// UNRULED-NOT: error:

#include "Inputs/helpers.cuh"

__global__ void __launch_bounds__(T)
ended(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: helpers-in-headers.cu:[[#@LINE-1]]:3: warning: not pipelined: helper 'ended_macro' fills the tile, and its text uses the macro 'STEP', which an #undef ends before its clones could use it; leave it defined [kpipe-macro-text]
    ended_macro(x, xs, i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The macro has another value where the clone would be.
#undef FACTOR
#define FACTOR 3
__global__ void __launch_bounds__(T)
redefined(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: helpers-in-headers.cu:[[#@LINE-1]]:3: warning: not pipelined: the pipelined code would not mean the same as this loop [kpipe-name-meaning]
    // CHECK: helpers.cuh:16:21: note: '2' would be '3' in the pipelined code
    other_macro(x, xs, i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A better match for a call in the helper.
namespace tiles {
__device__ inline float scaled(float value) { return value * 5; }
} // namespace tiles
__global__ void __launch_bounds__(T)
overloaded(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: helpers-in-headers.cu:[[#@LINE-1]]:3: warning: not pipelined: the pipelined code would not mean the same as this loop [kpipe-name-meaning]
    // CHECK: helpers.cuh:22:21: note: this would have type 'float (*)(float)', not 'float (*)(double)', in the pipelined code
    tiles::overloads(x, xs, i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
defined_by_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: helpers-in-headers.cu:[[#@LINE-1]]:3: warning: not pipelined: helper 'from_macro' fills the tile and is defined by a macro; write it as a function [kpipe-macro-text]
    from_macro(x, xs, i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
member(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Loader loader{x};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: helpers-in-headers.cu:[[#@LINE-1]]:3: warning: not pipelined: helper 'load' fills the tile and is written in another file, in a scope that cannot be opened in this one [kpipe-macro-text]
    loader.load(xs, i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
static_member(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: helpers-in-headers.cu:[[#@LINE-1]]:3: warning: not pipelined: helper 'load' fills the tile and is written in another file, in a scope that cannot be opened in this one [kpipe-macro-text]
    Loader::load(x, xs, i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
configured(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: helpers.cuh:43:2: warning: not pipelined: there is a preprocessor conditional in the load region or in the loop header [kpipe-preprocessor]
    conditional(x, xs, i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
