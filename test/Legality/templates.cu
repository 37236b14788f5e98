// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ids not-instantiated and instantiations-differ: one text serves all instances of
// a template, so each is judged, and all must agree.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

template <int Unused> __device__ float twice(float v) { return 2 * v; }

// Judged through its instances; what 'if constexpr' drops is not there.
template <bool Store>
__global__ void instantiated(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: templates.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += twice<3>(xs[j]);
    if constexpr (Store)
      const_cast<float *>(x)[i + T] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void instantiated<false>(const float *, float *, int);

// One of two instances stores to what is loaded.
template <bool Store>
__global__ void one_instance(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if constexpr (Store)
      const_cast<float *>(x)[i + T] = sum;
      // CHECK: templates.cu:[[#@LINE-1]]:7: warning: not pipelined: the loop stores to 'x' and also loads from it (in one_instance<true>) [kpipe-may-alias]
      // CHECK: templates.cu:[[#@LINE-7]]:23: note: the load region reads it here
      // CHECK: templates.cu:[[#@LINE-3]]:7: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void one_instance<false>(const float *, float *, int);
template __global__ void one_instance<true>(const float *, float *, int);

// One instance stages two arrays, the other one: an `if` has one text for both.
template <bool Two>
__global__ void differ(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T], zs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: templates.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, zs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    if constexpr (Two)
      zs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    if constexpr (Two)
      sum *= zs[0];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void differ<false>(const float *, float *, int);
template __global__ void differ<true>(const float *, float *, int);

// Where only one could copy asynchronously, both go through registers.
template <typename V>
__global__ void agree(const V *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: templates.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += float(xs[j]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void agree<float>(const float *, float *, int);
template __global__ void agree<short>(const short *, float *, int);

// Default arguments stand for instances that nobody made.
template <int Tile = T>
__global__ void by_default(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[Tile];
  float sum = 0;
  for (int i = 0; i < n; i += Tile) {
    // CHECK: templates.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < Tile; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nobody says for which arguments.
template <int Tile>
__global__ void never(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  // CHECK: templates.cu:[[#@LINE-2]]:17: warning: not pipelined: template 'never' is never instantiated in this file [kpipe-not-instantiated]
  // CHECK: templates.cu:[[#@LINE-3]]:17: note: name an instantiation with --instantiate='never<...>', or process a file that has one
  __shared__ float xs[Tile];
  float sum = 0;
  for (int i = 0; i < n; i += Tile) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < Tile; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
