// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups, pipelines and barriers that are given to functions, groups without a
// name, parts of a tile, and copies by one warp. What kpipe is to make of each
// kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
using thread_pipe = cuda::pipeline<cuda::thread_scope_thread>;
using block_state = cuda::pipeline_shared_state<cuda::thread_scope_block, 1>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// Expected: pipelined; the block has no name, and is the same each time.
__global__ void block_without_name(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cg::memcpy_async(cg::this_thread_block(), tile, x + t * 256, sizeof(tile));
    cg::wait(cg::this_thread_block());
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    cg::this_thread_block().sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused, by its reason: a group that is made anew for the copy.
__global__ void tile_without_name(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 32)
      cg::memcpy_async(cg::tiled_partition<32>(block), tile, x + t * 256, sizeof(tile));
    cg::wait(block);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

template <class Group>
__device__ void load_and_wait(const Group &group, float *to, const float *from) {
  cg::memcpy_async(group, to, from, sizeof(float) * 256);
  cg::wait(group);
}
// Expected: pipelined.
__global__ void helper_waits(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_and_wait(block, tile, x + t * 256);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused or one warp's: only the warp waits for what it copied.
__global__ void helper_waits_for_a_warp(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[2][256];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float *mine = tile[warp.meta_group_rank()];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_and_wait(warp, mine, x + t * 256);
    for (int k = 0; k < 256; ++k)
      sum += mine[k] * (k ^ threadIdx.x);
    warp.sync();
  }
  out[threadIdx.x] = sum;
}

template <class T, int N, class Group>
__device__ void load_elements(Group group, T *to, const T *from) {
  cg::memcpy_async(group, to, from, cuda::aligned_size_t<16>(sizeof(T) * N));
}
// Expected: pipelined; the group is copied, and so is one without a name.
__global__ void helper_of_template(const float *x, const double *w, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  __shared__ __align__(16) double weights[32];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_elements<float, 256>(block, tile, x + t * 256);
    load_elements<double, 32>(cg::this_thread_block(), weights, w + t * 32);
    cg::wait(block);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * weights[k % 32] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

__device__ inline void fill(thread_pipe &pipe, float *to, const float *from) {
  pipe.producer_acquire();
  cuda::memcpy_async(to, from, sizeof(float), pipe);
  pipe.producer_commit();
}
// Expected: pipelined.
__global__ void pipe_by_reference(const float *x, float *out, int n) {
  __shared__ float tile[64];
  auto pipe = cuda::make_pipeline();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    fill(pipe, &tile[threadIdx.x], &x[t * 64 + threadIdx.x]);
    pipe.consumer_wait();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; each of two pipelines is waited for before its tile is read.
__global__ void two_pipes(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ float other[64];
  auto pipe = cuda::make_pipeline();
  auto second = cuda::make_pipeline();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    fill(second, &other[threadIdx.x], &x[t * 64 + threadIdx.x]);
    fill(pipe, &tile[threadIdx.x], &x[t * 64 + threadIdx.x]);
    pipe.consumer_wait();
    second.consumer_wait();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * other[63 - k] * (k ^ threadIdx.x);
    __syncthreads();
    pipe.consumer_release();
    second.consumer_release();
  }
  out[threadIdx.x] = sum;
}

template <class Pipe>
__device__ void fill_block(Pipe &pipe, cg::thread_block block, float *to, const float *from) {
  pipe.producer_acquire();
  cuda::memcpy_async(block, to, from, sizeof(float) * 256, pipe);
  pipe.producer_commit();
}
// Expected: pipelined.
__global__ void block_pipe_by_reference(const float *x, float *out, int n) {
  __shared__ float tile[256];
  __shared__ block_state state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    fill_block(pipe, block, tile, x + t * 256);
    pipe.consumer_wait();
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

__device__ inline void fill_and_meet(barrier &bar, float *to, const float *from) {
  cuda::memcpy_async(to, from, sizeof(float), bar);
  bar.arrive_and_wait();
}
// Expected: pipelined.
__global__ void barrier_by_reference(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    fill_and_meet(bar, &tile[threadIdx.x], &x[t * 64 + threadIdx.x]);
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    bar.wait(bar.arrive());
  }
  out[threadIdx.x] = sum;
}

#define BLOCK_BARRIER(bar)                                                                       \
  __shared__ barrier bar;                                                                        \
  if (threadIdx.x == 0)                                                                          \
    init(&bar, blockDim.x);                                                                      \
  __syncthreads();
// Expected: pipelined; what the macro made stays.
__global__ void barrier_by_macro(const float *x, float *out, int n) {
  __shared__ float tile[64];
  BLOCK_BARRIER(bar)
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    bar.arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the last tile is a part.
__global__ void part_of_a_tile(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    int m = min(64, n - i);
    cg::memcpy_async(block, tile, x + i, sizeof(float) * m);
    cg::wait(block);
    for (int k = 0; k < m; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined.
__global__ void part_by_minimum(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    cg::memcpy_async(block, tile, x + i, sizeof(float) * min(64, n - i));
    cg::wait(block);
    for (int k = 0; k < 64 && i + k < n; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused, or one buffer: the last tile is read whole, and the rest is
// the tile before.
__global__ void part_is_read_whole(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  auto block = cg::this_thread_block();
  tile[threadIdx.x] = 0;
  block.sync();
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    cg::memcpy_async(block, tile, x + i, sizeof(float) * min(64, n - i));
    cg::wait(block);
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the barrier of the block is right behind the warp's.
__global__ void one_warp_copies(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (warp.meta_group_rank() == 0) {
      cg::memcpy_async(warp, tile, x + t * 64, sizeof(tile));
      cg::wait(warp);
    }
    block.sync();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; the warp reads what it copied, and then the block does.
__global__ void one_warp_reads_first(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[64];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (warp.meta_group_rank() == 0) {
      cg::memcpy_async(warp, tile, x + t * 64, sizeof(tile));
      { cg::wait(warp); }
      sum = sum * 2 + tile[63 - threadIdx.x];
    }
    block.sync();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void tiles(void (*kernel)(const float *, float *, int), int tile) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * tile), y = out<float>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
static void parts(void (*kernel)(const float *, float *, int)) {
  for (int n : sizes(64)) {
    auto x = in<float>("x", n), y = out<float>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(block_without_name) { tiles(block_without_name, 256); }
CASE(tile_without_name) { tiles(tile_without_name, 256); }
CASE(helper_waits) { tiles(helper_waits, 256); }
CASE(helper_waits_for_a_warp) { tiles(helper_waits_for_a_warp, 256); }
CASE(helper_of_template) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 256), y = out<float>("out", 64);
    auto w = in<double>("w", n * 32);
    launch({1, 64}, helper_of_template, x, w, y, n);
  }
}
CASE(pipe_by_reference) { tiles(pipe_by_reference, 64); }
CASE(two_pipes) { tiles(two_pipes, 64); }
CASE(block_pipe_by_reference) { tiles(block_pipe_by_reference, 256); }
CASE(barrier_by_reference) { tiles(barrier_by_reference, 64); }
CASE(barrier_by_macro) { tiles(barrier_by_macro, 64); }
CASE(part_of_a_tile) { parts(part_of_a_tile); }
CASE(part_by_minimum) { parts(part_by_minimum); }
CASE(part_is_read_whole) { parts(part_is_read_whole); }
CASE(one_warp_copies) { tiles(one_warp_copies, 64); }
CASE(one_warp_reads_first) { tiles(one_warp_reads_first, 64); }
#endif
