// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule not-a-tile-loop: one load region, a barrier behind it that every thread of
// the block meets, one compute region.
//
// RUN: %kpipe rewrite --dry-run --verbose --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

#include <cooperative_groups.h>

constexpr int T = 64;

// The textbook's loop.
__global__ void textbook(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same loop rotated: the barrier that protects the last tile comes first.
__global__ void barrier_first(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
  }
  y[threadIdx.x] = sum;
}

// Barriers have several spellings.
#define BARRIER() __syncthreads()
__device__ void sync_block() { asm volatile("bar.sync 0;" ::: "memory"); }
__global__ void spellings(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto block = cooperative_groups::this_thread_block();
  for (int i = 0; i < n; i += T) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of xs, {{.*}} [kpipe-pipelined]
    // CHECK: not-a-tile-loop.cu:[[#@LINE-2]]:3: note: single buffer, because 'xs' is filled by another loop too
    xs[threadIdx.x] = x[i + threadIdx.x];
    block.sync();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    BARRIER();
  }
  for (int i = 0; i < n; i += T) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of xs, {{.*}} [kpipe-pipelined]
    // CHECK: not-a-tile-loop.cu:[[#@LINE-2]]:3: note: single buffer, because 'xs' is filled by another loop too
    xs[threadIdx.x] = x[i + threadIdx.x];
    asm volatile("bar.sync 0;" ::: "memory");
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sync_block();
  }
  y[threadIdx.x] = sum;
}

// What is shared is computed, not loaded: there is nothing to load ahead.
__global__ void computed(float *y, int n) {
  __shared__ float xs[T];
  float sum = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it [kpipe-not-a-tile-loop]
    xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[T - 1 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two loads with a compute region between them.
__global__ void two_phases(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += 2 * T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:5: warning: not pipelined: the body loads tiles in several places, with compute in between [kpipe-not-a-tile-loop]
    // CHECK: not-a-tile-loop.cu:[[#@LINE-5]]:5: note: give the second tile an array of its own instead of 'xs', and load both here, before the first barrier
    xs[threadIdx.x] = x[i + T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The barrier between the loads says whose value stays where they overlap.
__global__ void overlapping_loads(const float *__restrict__ x,
                                  float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:5: warning: not pipelined: the body loads 'xs' on both sides of a barrier [kpipe-not-a-tile-loop]
    xs[threadIdx.x + T / 2] = x[i + T - 1 - threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Pipelined by hand already: this iteration stores the next one's tile.
__global__ void by_hand(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[2][T];
  float sum = 0;
  xs[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int now = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    if (i + T < n)
      xs[now ^ 1][threadIdx.x] = x[i + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += xs[now][j];
    __syncthreads();
    now ^= 1;
  }
  y[threadIdx.x] = sum;
}

// A barrier that some threads jump over is none of the block's.
__global__ void predicated(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it [kpipe-not-a-tile-loop]
    xs[threadIdx.x] = x[i + threadIdx.x];
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; @p bar.sync 0; }" ::"r"(i));
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void computes_first(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T], partial[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:3: warning: not pipelined: the body computes before it loads [kpipe-not-a-tile-loop]
    partial[threadIdx.x] = sum;
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1] + partial[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The tile is an object's, by a pointer that it keeps.
struct Product {
  const float *x;
  float *tile, held;
  __device__ void fetch(int i) { held = x[i + threadIdx.x]; }
  __device__ void store() { tile[threadIdx.x] = held; }
  __device__ float run(int n) {
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:5: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it [kpipe-not-a-tile-loop]
      fetch(i);
      store();
      // CHECK: not-a-tile-loop.cu:[[#@LINE-1]]:7: note: if the tile is stored here: 'tile' is a pointer member of the object, which kpipe does not follow to a shared array
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += tile[j];
      __syncthreads();
    }
    return sum;
  }
};

__global__ void by_object(const float *x, float *y, int n) {
  __shared__ float xs[T];
  Product p = {x, xs, 0};
  y[threadIdx.x] = p.run(n);
}
