// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comments directly above a loop or a kernel steer kpipe: ids off, already-pipelined
// and directive.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// kpipe: off
__global__ void off_kernel(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: left alone, as a directive asks [kpipe-off]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Qualifiers, templates, pragmas and other comments may stand in between.
// kpipe: off - measured, not worth it
template <int Tile,
          bool Store = false>
__global__ void
__launch_bounds__(T)
off_template(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Tile];
  float sum = 0;
  for (int i = 0; i < n; i += Tile) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: left alone, as a directive asks [kpipe-off]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < Tile; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void off_template<T>(const float *, float *, int);

__global__ void loops(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // kpipe: off
  // A reason why.
#pragma unroll 1
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: left alone, as a directive asks [kpipe-off]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }

  // kpipe: pipelined (2 stages)
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: already pipelined [kpipe-already-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A loop's directive goes before its kernel's.
// kpipe: variant=cp-async stages=2
__global__ void variants(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], zs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  // kpipe: variant=ldg, stages=1
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of zs, {{.*}} [kpipe-pipelined]
    zs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Also where it says auto.
// kpipe: stages=3 schedule=peeled
__global__ void auto_again(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // kpipe: stages=auto schedule=auto
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Comments of both kinds.
/* kpipe: stages=3 variant=ldg - for people */
/* A remark. */
__global__ void block_comment(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 3 stages of xs, registers [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  /** kpipe: off */
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: left alone, as a directive asks [kpipe-off]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// kpipe: stage=3 assume(no-races)
__global__ void misspelt(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // kpipe: stages=9
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  __shared__ float zs[T];
  for (int i = 0; i < n; i += T) {
    // CHECK: directives.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of zs, {{.*}} [kpipe-pipelined]
    // CHECK: directives.cu:[[#@LINE-12]]:13: warning: the directive 'stages=9': want auto or a number from 1 to 8 [kpipe-directive]
    // CHECK: directives.cu:[[#@LINE-17]]:11: warning: 'stage=3' is not a kpipe directive; did you mean 'stages=3'? [kpipe-directive]
    // CHECK: directives.cu:[[#@LINE-18]]:19: warning: 'assume(no-races)' is not a kpipe directive [kpipe-directive]
    zs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
