// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that look like those of the other files and are wrong as they stand: a
// wait, a commit or a barrier is missing or does not do what it seems to. The
// executor finds each. kpipe is to refuse all of them.
// REQUIRES: executor
// RUN: not %execute %s | FileCheck %s

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void no_wait(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} while a copy to it is in flight{{.*}} [read-in-flight] [original; no_wait
      sum += tile[k];
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = sum;
}

__global__ void no_barrier(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} races with the write {{.*}} [shared-race] [original; no_barrier
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void one_left_behind(const float *x, float *out, int n) {
  __shared__ float a[64], b[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&a[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&b[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:21: hazard: read of 4 bytes at b+{{.*}} in flight{{.*}} [read-in-flight] [original; one_left_behind
      sum += a[k] * b[k];
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = sum;
}

__global__ void no_commit(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    unsigned at = __cvta_generic_to_shared(&tile[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(&x[t * 64 + threadIdx.x]));
    asm volatile("cp.async.wait_group 0;");
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} in flight{{.*}} [read-in-flight] [original; no_commit
      sum += tile[k];
    __syncthreads();
  }
  asm volatile("cp.async.wait_all;");
  out[threadIdx.x] = sum;
}

__global__ void half_of_them_wait(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    if (threadIdx.x < 32)
      __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} in flight{{.*}} [read-in-flight] [original; half_of_them_wait
      sum += tile[k];
    __syncthreads();
  }
  __pipeline_wait_prior(0);
  out[threadIdx.x] = sum;
}

__global__ void peeks(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    // CHECK-DAG: [[#@LINE+1]]:12: hazard: read of 4 bytes at tile+{{.*}} in flight{{.*}} [read-in-flight] [original; peeks
    sum += tile[threadIdx.x];
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void stores_into_it(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    if (threadIdx.x == 0)
      // CHECK-DAG: [[#@LINE+1]]:15: hazard: write of 4 bytes at tile+0 {{.*}} in flight{{.*}} [write-in-flight] [original; stores_into_it
      tile[0] = 1;
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void no_closing_barrier(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: [[#@LINE+1]]:5: hazard: asynchronous copy of 4 bytes at tile+{{.*}} races with the read {{.*}} [shared-race] [original; no_closing_barrier
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
  }
  out[threadIdx.x] = sum;
}

__global__ void never_drained(const float *x, float *out, int n) {
  __shared__ float tile[64];
  // CHECK-DAG: [[#@LINE+1]]:3: hazard: thread {{.*}} ends while 1 of its asynchronous copies are in flight{{.*}} [undrained-copy] [original; never_drained
  __pipeline_memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], 4);
  __pipeline_commit();
  out[threadIdx.x] = n;
}

__global__ void group_no_wait(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cg::memcpy_async(block, tile, x + t * 64, sizeof tile);
    block.sync();
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} in flight{{.*}} [read-in-flight] [original; group_no_wait
      sum += tile[k];
    cg::wait(block);
  }
  out[threadIdx.x] = sum;
}

// Each warp waits for what it copied of a tile that both read.
__global__ void warp_waits_only(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[2][64];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cg::memcpy_async(warp, tile[warp.meta_group_rank()], x + t * 64, sizeof(float) * 64);
    cg::wait(warp);
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} [original; warp_waits_only
      sum += tile[1 - warp.meta_group_rank()][k];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

__global__ void arrives_and_goes_on(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    auto token = bar.arrive();
    // CHECK-DAG: [[#@LINE+1]]:12: hazard: read of 4 bytes at tile+{{.*}} in flight{{.*}} [read-in-flight] [original; arrives_and_goes_on
    sum += tile[threadIdx.x];
    bar.wait(std::move(token));
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void counts_too_many(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 2 * blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    // CHECK-DAG: [[#@LINE+1]]:9: hazard: no thread can ever go on; mbarrier bar+0: phase 0, pending 64 of 128, {{.*}} [deadlock] [original; counts_too_many
    bar.arrive_and_wait();
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void counts_too_few(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 32);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    bar.arrive_and_wait();
    // CHECK-DAG: [[#@LINE+1]]:12: hazard: read of 4 bytes at tile+{{.*}} [original; counts_too_few
    sum += tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void init_in_a_race(float *out) {
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  // CHECK-DAG: [[#@LINE+1]]:7: hazard: {{.*}}mbarrier {{.*}}bar+0 {{.*}} [original; init_in_a_race
  bar.arrive_and_wait();
  out[threadIdx.x] = 0;
}

__global__ void pipeline_no_wait(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, x + t * 64, sizeof tile, pipe);
    pipe.producer_commit();
    block.sync();
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} in flight{{.*}} [read-in-flight] [original; pipeline_no_wait
      sum += tile[k];
    pipe.consumer_release();
    block.sync();
  }
  out[threadIdx.x] = sum;
}

__global__ void pipeline_no_release(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    // CHECK-DAG: [[#@LINE+1]]:10: hazard: no thread can ever go on; {{.*}} [deadlock] [original; pipeline_no_release
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, x + t * 64, sizeof tile, pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
  }
  out[threadIdx.x] = sum;
}

// Without a stage to acquire nothing keeps the next copies off the tile.
__global__ void thread_pipeline_is_no_barrier(const float *x, float *out, int n) {
  __shared__ float tile[64];
  auto pipe = cuda::make_pipeline();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      // CHECK-DAG: [[#@LINE+1]]:14: hazard: read of 4 bytes at tile+{{.*}} [original; thread_pipeline_is_no_barrier
      sum += tile[k];
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// CHECK: FAIL:

#ifdef KPIPE_HARNESS
#include "harness.h"
static void tiles(void (*kernel)(const float *, float *, int)) {
  auto x = in<float>("x", 3 * 64), y = out<float>("out", 64);
  launch({1, 64}, kernel, x, y, 3);
}
#define TILES(Kernel)                                                                              \
  CASE(Kernel) { tiles(Kernel); }
TILES(no_wait)
TILES(no_barrier)
TILES(one_left_behind)
TILES(no_commit)
TILES(half_of_them_wait)
TILES(peeks)
TILES(stores_into_it)
TILES(no_closing_barrier)
TILES(never_drained)
TILES(group_no_wait)
TILES(warp_waits_only)
TILES(arrives_and_goes_on)
TILES(counts_too_many)
TILES(counts_too_few)
TILES(pipeline_no_wait)
TILES(pipeline_no_release)
TILES(thread_pipeline_is_no_barrier)
CASE(init_in_a_race) {
  auto y = out<float>("out", 64);
  launch({1, 64}, init_in_a_race, y);
}
#endif
