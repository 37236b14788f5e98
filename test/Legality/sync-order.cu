// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule sync-order: nothing in the body orders memory beyond the block's
// barriers.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int T = 64;

// Warps may exchange values in the compute region, also in inline PTX.
__global__ void shuffles(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: sync-order.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum += __shfl_xor_sync(~0u, sum, 1);
    asm("fma.rn.f32 %0, %0, %0, %0;" : "+f"(sum));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void fence(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i] = sum;
    __threadfence();
    // CHECK: sync-order.cu:[[#@LINE-1]]:5: warning: not pipelined: '__threadfence' orders memory in the loop [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void named_barrier(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    asm volatile("bar.sync 1, 32;" ::: "memory");
    // CHECK: sync-order.cu:[[#@LINE-1]]:5: warning: not pipelined: 'bar.sync' is not understood as a barrier of all threads of the block [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void grid_sync(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    cg::this_grid().sync();
    // CHECK: sync-order.cu:[[#@LINE-1]]:5: warning: not pipelined: 'sync' synchronizes the grid [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void acquire(const float *__restrict__ x, float *__restrict__ y,
                        int n, int *flag) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    int v;
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(flag));
    // CHECK: sync-order.cu:[[#@LINE-1]]:5: warning: not pipelined: inline assembly that kpipe does not understand may order memory: 'ld.acquire.gpu.s32' [kpipe-sync-order]
    sum += v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void unknown_asm(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    // CHECK: sync-order.cu:[[#@LINE-1]]:5: warning: not pipelined: inline assembly that kpipe does not understand may order memory: 'wgmma.fence.sync.aligned' [kpipe-sync-order]
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void shuffle_in_load(const float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __shfl_xor_sync(~0u, x[i + threadIdx.x], 1);
    // CHECK: sync-order.cu:[[#@LINE-1]]:23: warning: not pipelined: '__shfl_xor_sync' exchanges data between threads in the load region [kpipe-sync-order]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void warp_sync_in_load(const float *__restrict__ x,
                                  float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncwarp();
    // CHECK: sync-order.cu:[[#@LINE-1]]:5: warning: not pipelined: '__syncwarp' exchanges data between threads in the load region [kpipe-sync-order]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A barrier that returns a value is more than a barrier.
__global__ void value_barrier(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int any = __syncthreads_or(i > T);
    // CHECK: sync-order.cu:[[#@LINE-1]]:15: warning: not pipelined: there is a barrier inside the load region [kpipe-sync-order]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum *= any;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The author named it like a shuffle, and it is a barrier.
__device__ float __reduce_tile(float v) {
  __syncthreads();
  return v;
}
__global__ void hidden_barrier(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __reduce_tile(x[i + threadIdx.x]);
    // CHECK: sync-order.cu:[[#@LINE-1]]:23: warning: not pipelined: there is a barrier inside the load region [kpipe-sync-order]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
