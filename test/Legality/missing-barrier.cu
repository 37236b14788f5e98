// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule missing-barrier: a barrier keeps the load of the next tile from overwriting
// what slower threads still read.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

constexpr int T = 64;

// It may stand behind the compute or first in the body.
__global__ void there(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of xs, {{.*}} [kpipe-pipelined]
    // CHECK: missing-barrier.cu:[[#@LINE-2]]:3: note: single buffer, because 'xs' is filled by another loop too
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of xs, {{.*}} [kpipe-pipelined]
    // CHECK: missing-barrier.cu:[[#@LINE-2]]:3: note: single buffer, because 'xs' is filled by another loop too
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
  }
  y[threadIdx.x] = sum;
}

__global__ void forgotten(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      // CHECK: missing-barrier.cu:[[#@LINE-1]]:5: note: the tile is last read here; add a __syncthreads() after it
      sum += xs[j];
  }
  y[threadIdx.x] = sum;
}

// A warp's barrier is not the block's.
__global__ void warps_only(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      // CHECK: missing-barrier.cu:[[#@LINE-1]]:5: note: the tile is last read here; add a __syncthreads() after it
      sum += xs[j];
    warp.sync();
  }
  y[threadIdx.x] = sum;
}

// The tile is read once more behind the barrier.
__global__ void too_early(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
    sum *= xs[0];
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:5: note: the tile is last read here; add a __syncthreads() after it
  }
  y[threadIdx.x] = sum;
}

// A helper has a barrier, but not for all that call it, or not behind the reads.
__device__ float sometimes(float v, int n) {
  if (n & 1)
    __syncthreads();
  return v;
}
__device__ float left_early(float v, int n) {
  if (n & 1)
    return v;
  __syncthreads();
  return v;
}
__device__ float reads_again(const float *tile, float v) {
  __syncthreads();
  return v + tile[0];
}
__global__ void helper_sometimes(const float *__restrict__ x,
                                 float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: the barrier in this statement is a part of more, so it is not understood as the tile's end; add a plain __syncthreads() after this statement
    sum += sometimes(sum, n);
  }
  y[threadIdx.x] = sum;
}
__global__ void helper_left_early(const float *__restrict__ x,
                                  float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: the barrier in this statement is a part of more, so it is not understood as the tile's end; add a plain __syncthreads() after this statement
    sum += left_early(sum, n);
  }
  y[threadIdx.x] = sum;
}
__global__ void helper_reads_again(const float *__restrict__ x,
                                   float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: the barrier in this statement is a part of more, so it is not understood as the tile's end; add a plain __syncthreads() after this statement
    sum += reads_again(xs, sum);
  }
  y[threadIdx.x] = sum;
}
__global__ void helper_in_condition(const float *__restrict__ x,
                                    float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: the barrier in this statement is a part of more, so it is not understood as the tile's end; add a plain __syncthreads() after this statement
    sum += n & 1 ? reads_again(y, sum) : 0;
  }
  y[threadIdx.x] = sum;
}

// What a thread computes of its index is no condition of the block's.
__global__ void own_condition(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      // CHECK: missing-barrier.cu:[[#@LINE-1]]:5: note: the tile is last read here; add a __syncthreads() after it
      sum += xs[j];
    // CHECK: missing-barrier.cu:[[#@LINE+2]]:5: warning: not pipelined: the barrier is under a condition, so it is unknown which threads reach it [kpipe-uniform-barrier]
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: put the barrier outside of the condition
    if (threadIdx.x < 32)
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A barrier that gives a value, or that stands in a statement with more, is there
// but does not count.
__global__ void gives_value(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: '__syncthreads_or' here also gives a value, so it is not understood as the tile's end; add a plain __syncthreads() after this statement
    if (__syncthreads_or(sum > 100))
      sum *= xs[0];
  }
  y[threadIdx.x] = sum;
}
// It may stand in front of the stores.
__global__ void votes(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // CHECK: missing-barrier.cu:[[#@LINE+1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: '__syncthreads_count' here also gives a value
    const int many = __syncthreads_count(sum > 100);
    // CHECK-NOT: inside the load region
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * many;
  }
  y[threadIdx.x] = sum;
}
__global__ void in_closure(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  auto use = [&] {
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  };
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: the barrier in this statement is a part of more, so it is not understood as the tile's end
    use();
  }
  y[threadIdx.x] = sum;
}

// Barriers that give a value, and that not all threads come to, or that the
// tile is read behind.
__global__ void may_not_ask(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no __syncthreads() that is a statement of its own keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: '__syncthreads_or' here also gives a value
    if (n > 3 * T && __syncthreads_or(sum > 100))
      sum *= 0.5f;
  }
  y[threadIdx.x] = sum;
}
__global__ void read_behind(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: missing-barrier.cu:[[#@LINE-1]]:3: warning: not pipelined: no barrier keeps the next tile's load from overwriting data that slower threads still read [kpipe-missing-barrier]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    int all = __syncthreads_and(sum > 100);
    // CHECK: missing-barrier.cu:[[#@LINE+1]]:5: note: the tile is last read here
    sum += xs[all];
  }
  y[threadIdx.x] = sum;
}
