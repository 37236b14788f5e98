// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An older copy, in front of the loop, that a function of the author's waits
// for, with a barrier of the block. What kpipe is to make of each kernel stands
// in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:
//
// The check of the plain text sees what is left in flight by itself.
// RUN: env KPIPE_RULES_OFF=async-in-flight %kpipe-unruled rewrite --dry-run --arch=sm_86 %s \
// RUN:   2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE-COUNT-2: remark: pipelined K-loop
// ALONE-COUNT-3: the check of that does not find
// ALONE-NOT: pipelined K-loop

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

__device__ float sum_of(const float *tile) {
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += tile[k] * (k ^ threadIdx.x);
  return sum;
}

__device__ void drain() {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}
// Expected: pipelined.
__global__ void drained(const float *x, float *out, int n) {
  __shared__ float tile[64], weights[64];
  __pipeline_memcpy_async(&weights[threadIdx.x], &x[threadIdx.x], 4);
  drain();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile) * weights[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

template <int N> __device__ void wait_and_meet() {
  __pipeline_wait_prior(N);
  __syncthreads();
}
// Expected: pipelined.
__global__ void drained_by_template(const float *x, float *out, int n) {
  __shared__ float tile[64], weights[64];
  __pipeline_memcpy_async(&weights[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  wait_and_meet<0>();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile) * weights[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; it leaves a group.
__global__ void leaves_a_group(const float *x, float *out, int n) {
  __shared__ float tile[64], weights[64];
  __pipeline_memcpy_async(&weights[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  wait_and_meet<1>();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile) * weights[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; the copy belongs to no group, and is not waited for.
__global__ void not_committed(const float *x, float *out, int n) {
  __shared__ float tile[64], weights[64];
  __pipeline_memcpy_async(&weights[threadIdx.x], &x[threadIdx.x], 4);
  wait_and_meet<0>();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile) * weights[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; some turns of the outer loop do not wait.
__device__ void drain_if(bool all) {
  if (all)
    asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
}
__global__ void drained_sometimes(const float *x, float *out, int n) {
  __shared__ float tile[64], weights[64];
  __pipeline_memcpy_async(&weights[threadIdx.x], &x[threadIdx.x], 4);
  drain_if(n > 1);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    sum += sum_of(tile) * weights[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define TILES(Kernel)                                                                              \
  CASE(Kernel) {                                                                                   \
    for (int n : multiples(1)) {                                                                   \
      auto x = in<float>("x", n * 64 + 64), y = out<float>("out", 64);                             \
      launch({1, 64}, Kernel, x, y, n);                                                            \
    }                                                                                              \
  }
TILES(drained)
TILES(drained_by_template)
#endif
