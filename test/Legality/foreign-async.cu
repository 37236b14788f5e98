// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule foreign-async: no asynchronous copies of the author's own are in flight
// across the loop. Commit groups are counted per thread, not per loop.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

#include <cuda_pipeline.h>

constexpr int T = 64;

// Copies that were waited for are none.
__global__ void drained(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ float first[T];
  __pipeline_memcpy_async(&first[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void drained_by_asm(const float *__restrict__ x,
                               float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ float first[T];
  __pipeline_memcpy_async(&first[threadIdx.x], &x[threadIdx.x], 4);
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void drained_by_group(const float *__restrict__ x,
                                 float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ float first[T];
  __pipeline_memcpy_async(&first[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Still in flight.
__global__ void in_flight(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ float first[T];
  __pipeline_memcpy_async(&first[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  // CHECK: foreign-async.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins [kpipe-foreign-async]
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: note: wait for all copies before the loop, for example with __pipeline_wait_prior(0)
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void one_left(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ float first[T];
  __pipeline_memcpy_async(&first[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  // CHECK: foreign-async.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins [kpipe-foreign-async]
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: note: wait for all copies before the loop, for example with __pipeline_wait_prior(0)
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Issued behind the loop, which an outer loop enters again.
__global__ void next_round(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T], next[T];
  float sum = 0;
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j];
      __syncthreads();
    }
    __pipeline_memcpy_async(&next[threadIdx.x], &x[threadIdx.x], 4);
    __pipeline_commit();
    // CHECK: foreign-async.cu:[[#@LINE-1]]:5: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins [kpipe-foreign-async]
    // CHECK: foreign-async.cu:[[#@LINE-10]]:5: note: wait for all copies before the loop, for example with __pipeline_wait_prior(0)
  }
  y[threadIdx.x] = sum;
}

// A group waits for what was committed, and nothing was.
__global__ void never_committed(const float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ float first[T];
  __pipeline_memcpy_async(&first[threadIdx.x], &x[threadIdx.x], 4);
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  // CHECK: foreign-async.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins [kpipe-foreign-async]
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: note: wait for all copies before the loop, for example with __pipeline_wait_prior(0)
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum + first[threadIdx.x];
}

// The loop copies asynchronously itself, and not all bytes.
__global__ void own_copies(const float *__restrict__ x, float *__restrict__ y,
                           int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __pipeline_memcpy_async(&xs[threadIdx.x], &x[i + threadIdx.x], 4, 1);
    // CHECK: foreign-async.cu:[[#@LINE-1]]:5: warning: not pipelined: its asynchronous copies are not read as plain ones, because it cannot be told which bytes '__pipeline_memcpy_async' copies [kpipe-foreign-async]
    // CHECK: foreign-async.cu:[[#@LINE-2]]:5: note: write the copies of this loop as plain assignments; kpipe makes them asynchronous where that is faster
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void own_asm(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    // CHECK: foreign-async.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop already copies asynchronously with 'cp.async.wait_group' [kpipe-foreign-async]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Calls that are seen by no name may copy, too: constructors, destructors and
// functions by a pointer. The wait in a helper is theirs as well.
__device__ void load_behind_constructor(float *tile, const float *from) {
  for (int i = threadIdx.x; i < T; i += T)
    __pipeline_memcpy_async(&tile[i], &from[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__device__ void load_behind_destructor(float *tile, const float *from) {
  for (int i = threadIdx.x; i < T; i += T)
    __pipeline_memcpy_async(&tile[i], &from[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__device__ void load_behind_pointer(float *tile, const float *from) {
  for (int i = threadIdx.x; i < T; i += T)
    __pipeline_memcpy_async(&tile[i], &from[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
__device__ void copy_first(float *first, const float *from) {
  __pipeline_memcpy_async(&first[threadIdx.x], &from[threadIdx.x], 4);
}
struct CopiesAtFirst {
  __device__ CopiesAtFirst(float *first, const float *from) { copy_first(first, from); }
};
struct CopiesAtLast {
  float *first;
  const float *from;
  __device__ ~CopiesAtLast() { copy_first(first, from); }
};

__global__ void by_constructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], first[T];
  float sum = 0;
  CopiesAtFirst now(first, x);
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins [kpipe-foreign-async]
    // CHECK: foreign-async.cu:[[#@LINE-2]]:3: note: wait for all copies before the loop, for example with __pipeline_wait_prior(0)
    load_behind_constructor(xs, x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * first[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_destructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], first[T];
  float sum = 0;
  { CopiesAtLast soon{first, x}; }
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins [kpipe-foreign-async]
    // CHECK: foreign-async.cu:[[#@LINE-2]]:3: note: wait for all copies before the loop, for example with __pipeline_wait_prior(0)
    load_behind_destructor(xs, x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * first[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], first[T];
  float sum = 0;
  void (*copy)(float *, const float *) = copy_first;
  copy(first, x);
  for (int i = 0; i < n; i += T) {
    // CHECK: foreign-async.cu:[[#@LINE-1]]:3: warning: not pipelined: an asynchronous copy may still be in flight when the loop begins [kpipe-foreign-async]
    // CHECK: foreign-async.cu:[[#@LINE-2]]:3: note: wait for all copies before the loop, for example with __pipeline_wait_prior(0)
    load_behind_pointer(xs, x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * first[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
