// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule shared-escape: the address of a staged array stays within code that can be
// looked into.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

__device__ float sum_of(const float *tile) {
  float sum = 0;
  for (int j = 0; j < T; ++j)
    sum += tile[j];
  return sum;
}
extern __device__ float elsewhere(const float *tile);
extern __device__ void keep(const float (&tile)[T]);

// A function of this file is looked into; code after the loop reads the last
// tile's stage.
__global__ void passed_on(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: shared-escape.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += sum_of(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum + xs[0];
}

// A pointer that is kept points to the same place in every iteration.
__global__ void kept(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  float sum = 0;
  const float *tile = nullptr;
  for (int i = 0; i < n; i += T) {
    // CHECK: shared-escape.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of xs, {{.*}} [kpipe-pipelined]
    // CHECK: shared-escape.cu:[[#@LINE-2]]:3: note: single buffer, because 'tile' keeps an address of 'xs' beyond the iteration that took it
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    if (i == 0)
      tile = xs;
    sum += sum_of(tile);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_pointer(const float *__restrict__ x,
                           float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += elsewhere(xs);
    // CHECK: shared-escape.cu:[[#@LINE-1]]:12: warning: not pipelined: 'xs' is passed to 'elsewhere', which kpipe cannot analyze [kpipe-shared-escape]
    // CHECK: shared-escape.cu:[[#@LINE-2]]:12: note: make the definition of 'elsewhere' visible here
    // CHECK: shared-escape.cu:[[#@LINE-3]]:12: warning: not pipelined: 'elsewhere', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: shared-escape.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: shared-escape.cu:[[#@LINE-5]]:12: note: make the definition of 'elsewhere' visible here
    // CHECK: shared-escape.cu:[[#@LINE-6]]:12: warning: not pipelined: 'elsewhere', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_reference(const float *__restrict__ x,
                             float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    keep(xs);
    // CHECK: shared-escape.cu:[[#@LINE-1]]:5: warning: not pipelined: 'xs' is passed to 'keep', which kpipe cannot analyze [kpipe-shared-escape]
    // CHECK: shared-escape.cu:[[#@LINE-2]]:5: note: make the definition of 'keep' visible here
    // CHECK: shared-escape.cu:[[#@LINE-3]]:5: warning: not pipelined: 'keep', which kpipe cannot analyze, may store to 'x' [kpipe-may-alias]
    // CHECK: shared-escape.cu:[[#@LINE-6]]:23: note: the load region reads it here
    // CHECK: shared-escape.cu:[[#@LINE-5]]:5: note: make the definition of 'keep' visible here
    // CHECK: shared-escape.cu:[[#@LINE-6]]:5: warning: not pipelined: 'keep', which kpipe cannot analyze, may synchronize threads [kpipe-sync-order]
    sum += sum_of(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
