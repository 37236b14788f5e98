// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and pipelines of fewer threads than the block's, or whose phases are
// counted elsewhere; and names that CUDA has, too. Expected: no `__syncthreads()`
// in their place.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// Expected: refused; a barrier for each warp, and other turns.
__global__ void barrier_of_a_warp(const float *x, float *out, int n) {
  __shared__ float tiles[4][32];
  __shared__ barrier bars[4];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < 4)
    init(&bars[threadIdx.x], 32);
  __syncthreads();
  barrier &bar = bars[w];
  float sum = 0;
  for (int t = w; t < n; t += 4) {
    cuda::memcpy_async(&tiles[w][lane], &x[t * 64 + lane], sizeof(float), bar);
    bar.arrive_and_wait();
    for (int k = 0; k < 32; ++k)
      sum += tiles[w][k] * (k + 1);
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; half of the block has the barrier, the rest goes on.
__global__ void barrier_of_a_half(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 64);
  __syncthreads();
  float sum = 0;
  if (threadIdx.x < 64) {
    for (int t = 0; t < n; ++t) {
      cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
      bar.arrive_and_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k + 1);
      bar.arrive_and_wait();
    }
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}

// Expected: refused; half of the block has ended.
__global__ void half_exits(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 64);
  __syncthreads();
  if (threadIdx.x >= 64)
    asm volatile("exit;");
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    bar.arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k + 1);
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; half of the block, told by names that bind the threads'
// numbers, and by what asks for their warp.
__global__ void half_by_binding(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 64);
  __syncthreads();
  int place[2] = {int(threadIdx.x), int(blockIdx.x)};
  auto [thread, block] = place;
  float sum = 0;
  if (thread < 64) {
    for (int t = 0; t < n; ++t) {
      cuda::memcpy_async(&tile[thread], &x[t * 64 + thread], sizeof(float), bar);
      bar.arrive_and_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k + 1);
      bar.arrive_and_wait();
    }
  }
  __syncthreads();
  out[threadIdx.x] = sum + block;
}
__global__ void half_by_warps(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 64);
  __syncthreads();
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float sum = 0;
  if (warp.meta_group_rank() < 2) {
    for (int t = 0; t < n; ++t) {
      cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
      bar.arrive_and_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k + 1);
      bar.arrive_and_wait();
    }
  }
  __syncthreads();
  out[threadIdx.x] = sum;
}

// Expected: refused; a phase is asked for by its parity.
__global__ void parity_behind(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    bar.arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k + 1);
    __syncthreads();
  }
  bar.wait_parity((n & 1) ^ 1);
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the block's barrier, also used behind the loop.
__global__ void barrier_behind(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    bar.arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k + 1);
    __syncthreads();
  }
  __shared__ float sums[64];
  sums[threadIdx.x & 63] = sum;
  bar.arrive_and_wait();
  out[threadIdx.x] = sum + sums[63 - (threadIdx.x & 63)];
}

// Expected: refused; a pipeline for each warp.
__global__ void pipeline_of_a_warp(const float *x, float *out, int n) {
  __shared__ __align__(16) float tiles[4][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> states[4];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int w = threadIdx.x / 32, lane = threadIdx.x % 32;
  auto pipe = cuda::make_pipeline(warp, &states[w]);
  float sum = 0;
  for (int t = w; t < n; t += 4) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tiles[w][lane], &x[t * 64 + lane], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 32; ++k)
      sum += tiles[w][k] * (k + 1);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the block's pipeline, also used behind the loop.
__global__ void pipeline_behind(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k + 1);
    pipe.consumer_release();
  }
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = sum + tile[63 - threadIdx.x];
  pipe.consumer_release();
}

// Expected: pipelined; the group is made by a function that counts, which stays.
__device__ cg::thread_block counted_group(int &made) {
  ++made;
  return cg::this_thread_block();
}
__global__ void group_that_counts(const float *x, float *out, int n) {
  __shared__ float tile[64];
  int made = 0;
  auto block = counted_group(made);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 64)
      __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    cg::wait(block);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum + made;
}

// Expected: refused; this int4 has other bytes.
namespace author {
struct int4 {
  double a, b, c;
};
__global__ void another_int4(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 16)
      __pipeline_memcpy_async(&tile[threadIdx.x * 4], &x[t * 64 + threadIdx.x * 4], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
} // namespace author

// Expected: pipelined; offsets below 0, as unsigned numbers.
__global__ void below_the_base(const float *x, float *out, int n) {
  __shared__ float tile[64];
  unsigned base = (unsigned)__cvta_generic_to_shared(tile + 32);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(base + (threadIdx.x - 32) * 4),
                 "l"(&x[t * 64 + threadIdx.x]));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k + 1);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define TILES(Kernel, Threads)                                                                     \
  CASE(Kernel) {                                                                                   \
    for (int n : multiples(1)) {                                                                   \
      auto x = in<float>("x", n * 64 + 64), y = out<float>("out", 128);                            \
      launch({1, Threads}, Kernel, x, y, n);                                                       \
    }                                                                                              \
  }
using author::another_int4;
TILES(barrier_of_a_warp, 128)
TILES(barrier_of_a_half, 128)
TILES(half_by_binding, 128)
TILES(half_by_warps, 128)
TILES(parity_behind, 64)
TILES(barrier_behind, 64)
TILES(pipeline_of_a_warp, 128)
TILES(pipeline_behind, 64)
TILES(group_that_counts, 128)
TILES(another_int4, 64)
TILES(below_the_base, 64)
#endif
