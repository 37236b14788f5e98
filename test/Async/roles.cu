// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines of one stage that are partitioned: some threads produce, the others
// consume, and with one stage they take turns. What kpipe is to make of each
// kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
using state_t = cuda::pipeline_shared_state<cuda::thread_scope_block, 1>;

// Expected: pipelined; each role has a branch of its own, as in the programming
// guide, and its variable is asked in both.
__global__ void two_branches(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  const cuda::pipeline_role role =
      block.thread_rank() % 2 == 0 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      for (int i = block.thread_rank() / 2; i < 64; i += 48)
        cuda::memcpy_async(&tile[i], &x[t * 64 + i], sizeof(float), pipe);
      pipe.producer_commit();
    }
    if (role == cuda::pipeline_role::consumer) {
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k + threadIdx.x);
      pipe.consumer_release();
    }
  }
  if (role == cuda::pipeline_role::consumer)
    out[threadIdx.x / 2] = sum;
}

// Expected: pipelined; the pipeline is told how many threads produce, two tiles,
// the row of each is a thread's.
__global__ void counted_producers(const float *A, const float *B, float *C, int K) {
  __shared__ __align__(16) float a[16][16], b[16][16];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 32);
  const int rank = threadIdx.x, row = (rank - 32) / 16, col = (rank - 32) % 16;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (rank < 32) {
      pipe.producer_acquire();
      if (rank < 16)
        for (int i = 0; i < 16; i += 4)
          cuda::memcpy_async(&a[rank][i], &A[rank * K + k0 + i], cuda::aligned_size_t<16>(16), pipe);
      else
        for (int i = 0; i < 16; i += 4)
          cuda::memcpy_async(&b[rank - 16][i], &B[(k0 + rank - 16) * 16 + i],
                             cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < 16; ++k)
        sum += a[row][k] * b[k][col];
      pipe.consumer_release();
    }
  }
  if (rank >= 32)
    C[row * 16 + col] = sum;
}

// Expected: pipelined; the last warp copies, a warp does neither, and consumers
// have loops and shared memory of their own.
__global__ void last_warp_copies(const double *x, const double *y, double *out, int n) {
  __shared__ double tile[2][32], scale[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state,
                                  threadIdx.x >= 96 ? cuda::pipeline_role::producer
                                                    : cuda::pipeline_role::consumer);
  if (threadIdx.x < 64)
    scale[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  double sum = 0;
  int t = 0;
  while (t < n) {
    if (threadIdx.x >= 96) {
      const int lane = threadIdx.x - 96;
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[0][lane], &x[(2 * t) * 32 + lane], sizeof(double), pipe);
      cuda::memcpy_async(&tile[1][lane], &x[(2 * t + 1) * 32 + lane], sizeof(double), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      if (threadIdx.x < 64)
        for (int k = 0; k < 32; ++k)
          sum += tile[threadIdx.x / 32][k] * scale[(k + threadIdx.x) % 64];
      pipe.consumer_release();
    }
    ++t;
  }
  if (threadIdx.x < 64)
    out[threadIdx.x] = sum;
}

// Expected: pipelined; what is out of range is zero, and the loop is entered
// again for each row.
__global__ void rows_with_tails(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  const bool produces = threadIdx.x < 64;
  auto pipe = cuda::make_pipeline(
      block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int row = 0; row < 3; ++row) {
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
      if (produces) {
        pipe.producer_acquire();
        if (i + int(threadIdx.x) < n)
          cuda::memcpy_async(&tile[threadIdx.x], &x[row * n + i + threadIdx.x], sizeof(float), pipe);
        else
          tile[threadIdx.x] = 0;
        pipe.producer_commit();
      } else {
        pipe.consumer_wait();
        for (int k = 0; k < 64; ++k)
          sum += tile[k] * (k ^ threadIdx.x);
        pipe.consumer_release();
      }
    }
    if (!produces)
      out[row * 64 + threadIdx.x - 64] = sum;
  }
}

// Expected: pipelined; a rank, and a constant of the file, in the condition.
constexpr unsigned Producers = 32;
__global__ void rank_decides(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, Producers);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (block.thread_rank() < Producers) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < 64; i += Producers)
        cuda::memcpy_async(&tile[i], &x[t * 64 + i], sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      pipe.consumer_release();
    }
  }
  if (block.thread_rank() >= Producers)
    out[threadIdx.x - Producers] = sum;
}

// Expected: pipelined; no roles: those that copy wait themselves, through a
// pipeline of each thread, and the barrier behind them is the author's.
__global__ void copiers_wait(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[128];
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  const int at = threadIdx.x * 4;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (at < 128) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[at], &x[t * 128 + at], cuda::aligned_size_t<16>(16), pipe);
      pipe.producer_commit();
      pipe.consumer_wait();
    }
    __syncthreads();
    for (int k = 0; k < 128; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; who consumes stands first, and is not told to come second.
__global__ void consumers_first(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 64);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x >= 64) {
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k];
      pipe.consumer_release();
    } else {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
      pipe.producer_commit();
    }
  }
  if (threadIdx.x >= 64)
    out[threadIdx.x - 64] = sum;
}

// Expected: refused; the producers are others in each iteration than those that
// the condition finds behind their part.
__global__ void role_changes(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  int side = threadIdx.x < 64;
  auto pipe = cuda::make_pipeline(block, &state, 64);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    side = threadIdx.x < 64;
    if (side) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
      pipe.producer_commit();
      side = 0;
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k];
      pipe.consumer_release();
    }
  }
  if (threadIdx.x >= 64)
    out[threadIdx.x - 64] = sum;
}

// Expected: refused; a tile is in flight when the loop begins.
__global__ void one_ahead(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 64);
  float sum = 0;
  if (threadIdx.x < 64 && n > 0) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
  }
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 64) {
      if (t + 1 < n) {
        pipe.producer_acquire();
        cuda::memcpy_async(&tile[threadIdx.x], &x[(t + 1) * 64 + threadIdx.x], sizeof(float), pipe);
        pipe.producer_commit();
      }
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k];
      pipe.consumer_release();
    }
  }
  if (threadIdx.x >= 64)
    out[threadIdx.x - 64] = sum;
}

// Expected: refused; not all threads come to each iteration, which the pipeline
// does not need.
__global__ void consumers_leave(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ state_t state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 64);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 64) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[k];
      pipe.consumer_release();
      if (t + 1 == n)
        break;
    }
  }
  if (threadIdx.x >= 64)
    out[threadIdx.x - 64] = sum;
}

// Expected: refused; two pipelines, each with a stage, are two stages.
__global__ void two_pipelines(const float *x, float *out, int n) {
  __shared__ float a[64], b[64];
  __shared__ state_t first, second;
  auto block = cg::this_thread_block();
  auto one = cuda::make_pipeline(block, &first, 64);
  auto two = cuda::make_pipeline(block, &second, 64);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 64) {
      one.producer_acquire();
      cuda::memcpy_async(&a[threadIdx.x], &x[t * 128 + threadIdx.x], sizeof(float), one);
      one.producer_commit();
      two.producer_acquire();
      cuda::memcpy_async(&b[threadIdx.x], &x[t * 128 + 64 + threadIdx.x], sizeof(float), two);
      two.producer_commit();
    } else {
      one.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += a[k];
      one.consumer_release();
      two.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += b[k];
      two.consumer_release();
    }
  }
  if (threadIdx.x >= 64)
    out[threadIdx.x - 64] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void tiles(void (*kernel)(const float *, float *, int), int tile, int threads, int sums) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * tile), y = out<float>("out", sums);
    launch({1, threads}, kernel, x, y, n);
  }
}
CASE(two_branches) { tiles(two_branches, 64, 96, 48); }
CASE(counted_producers) {
  for (int k : multiples(16)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", k * 16), c = out<float>("C", 16 * 16);
    launch({1, 288}, counted_producers, a, b, c, k);
  }
}
CASE(last_warp_copies) {
  for (int n : multiples(1)) {
    auto x = in<double>("x", n * 64), y = in<double>("y", 64), z = out<double>("out", 64);
    launch({1, 128}, last_warp_copies, x, y, z, n);
  }
}
CASE(rows_with_tails) {
  for (int n : {0, 1, 63, 64, 65, 200}) {
    auto x = in<float>("x", 3 * n), y = out<float>("out", 192);
    launch({1, 128}, rows_with_tails, x, y, n);
  }
}
CASE(rank_decides) { tiles(rank_decides, 64, 96, 64); }
CASE(copiers_wait) { tiles(copiers_wait, 128, 128, 128); }
CASE(consumers_first) { tiles(consumers_first, 64, 128, 64); }
CASE(role_changes) { tiles(role_changes, 64, 128, 64); }
CASE(one_ahead) { tiles(one_ahead, 64, 128, 64); }
CASE(consumers_leave) { tiles(consumers_leave, 64, 128, 64); }
CASE(two_pipelines) { tiles(two_pipelines, 128, 128, 64); }
#endif
