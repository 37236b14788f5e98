// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that have no more to do with a pipeline. Expected: behind all loops it
// goes with the pipeline; who quits earlier is no longer waited for, and there is
// no `__syncthreads()` in the pipeline's place.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
using block_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 1>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// Expected: pipelined.
__global__ void quits_behind(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ block_state state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, &x[t * 64], sizeof(tile), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
  }
  pipe.quit();
  out[threadIdx.x] = sum;
}

// Expected: pipelined; a pipeline of the thread's own.
__global__ void quits_its_own(const float *x, float *out, int n) {
  __shared__ float tile[64];
  auto pipe = cuda::make_pipeline();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
    pipe.consumer_release();
  }
  (void)pipe.quit();
  out[threadIdx.x] = sum;
}

// Expected: refused; half of the threads leave, and the others do not wait for them.
__global__ void some_quit_before(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ block_state state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  if (threadIdx.x >= 32) {
    pipe.quit();
    return;
  }
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    for (int i = threadIdx.x; i < 64; i += 32)
      cuda::memcpy_async(&tile[i], &x[t * 64 + i], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; a thread that has left comes again.
__global__ void quits_in_a_turn(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ block_state state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, &x[t * 64], sizeof(tile), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
    if (t == n - 1)
      pipe.quit();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; nobody is waited for in the loop. It never runs.
__global__ void quits_in_front(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ block_state state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  pipe.quit();
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, &x[t * 64], sizeof(tile), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; who quits is no longer counted, in the outer loop's next turn.
__global__ void quits_between(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ block_state state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int turn = 0; turn < 1; ++turn) {
    for (int t = 0; t < n; ++t) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile, &x[t * 64], sizeof(tile), pipe);
      pipe.producer_commit();
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      pipe.consumer_release();
    }
    pipe.quit();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void tiles(void (*kernel)(const float *, float *, int)) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), y = out<float>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(quits_behind) { tiles(quits_behind); }
CASE(quits_its_own) { tiles(quits_its_own); }
#endif
