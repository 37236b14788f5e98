// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sound uses of everything that orders threads or could look like a hazard give
// no report. Results are checked in the kernels.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cassert>
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

namespace cg = cooperative_groups;
using namespace nvcuda;

// Lanes of one warp hand values on through shared memory with __syncwarp only.
__global__ void warp_handshake(int *out) {
  __shared__ int s[64];
  int tid = threadIdx.x;
  s[tid] = tid;
  __syncwarp();
  int v = s[tid ^ 1];
  __syncwarp();
  s[tid] = v;
  __syncwarp();
  assert(s[tid ^ 1] == tid);
  out[tid] = v;
}

__global__ void shuffles(int *out) {
  int lane = threadIdx.x % 32;
  assert(__shfl_sync(~0u, lane, 5) == 5);
  assert(__shfl_sync(~0u, lane, 1, 8) == lane / 8 * 8 + 1);
  assert(__shfl_xor_sync(~0u, lane, 3) == (lane ^ 3));
  assert(__shfl_down_sync(~0u, lane, 4) == (lane < 28 ? lane + 4 : lane));
  assert(__shfl_up_sync(~0u, lane, 2) == (lane >= 2 ? lane - 2 : lane));
  assert(__ballot_sync(~0u, lane % 2) == 0xAAAAAAAAu);
  assert(__any_sync(~0u, lane == 31) && !__all_sync(~0u, lane == 31));
  if (lane < 8) // a part of the warp, on its own
    assert(__shfl_sync(0xFFu, lane, 3) == 3);
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  assert(tile.thread_rank() == unsigned(lane % 16));
  assert(tile.shfl_down(lane, 1) == (lane % 16 < 15 ? lane + 1 : lane));
  out[threadIdx.x] = lane;
}

// Atomics on one word need no order; reductions of the barrier.
__global__ void counters(int *out) {
  __shared__ int count;
  __shared__ unsigned bits;
  if (threadIdx.x == 0) {
    count = 0;
    bits = 0;
  }
  __syncthreads();
  atomicAdd(&count, 2);
  atomicOr(&bits, 1u << threadIdx.x % 32);
  assert(__syncthreads_count(threadIdx.x < 10) == 10);
  assert(__syncthreads_and(1) && !__syncthreads_and(threadIdx.x != 9));
  assert(__syncthreads_or(threadIdx.x == 9) && !__syncthreads_or(0));
  assert(count == 128 && bits == ~0u);
  out[threadIdx.x] = count;
}

// Whole blocks and single threads that leave before any barrier.
__global__ void early_exit(int *out) {
  __shared__ int s[64];
  if (threadIdx.x >= 50)
    return;
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[49 - threadIdx.x];
}

// Copies of 4, 8 and 16 bytes, zero fill, groups that are empty, by hand.
__global__ void groups(const int *x, int *out) {
  __shared__ __align__(16) int s[64 * 4];
  int tid = threadIdx.x;
  for (int i = 0; i < 4; ++i) {
    __pipeline_memcpy_async(&s[i * 64 + tid], &x[i * 64 + tid], 4, i == 3 ? 4 : 0);
    __pipeline_commit();
  }
  __pipeline_commit();
  __pipeline_wait_prior(4); // the first copy
  __syncthreads();
  assert(s[tid ^ 1] == x[tid ^ 1]);
  __pipeline_wait_prior(0);
  __syncthreads();
  out[tid] = s[64 + (tid ^ 1)] + s[128 + (tid ^ 2)];
  assert(s[192 + (tid ^ 3)] == 0);
  __syncthreads();
  __pipeline_memcpy_async(&s[tid * 4], &x[tid * 4], 16);
  asm volatile("cp.async.wait_all;" ::: "memory");
  assert(s[tid * 4 + 3] == x[tid * 4 + 3]);
}

// wmma against a product written out; half and int8, both layouts.
__global__ void fragments(const half *A, const half *B, float *C) {
  __shared__ half s[256];
  for (int i = threadIdx.x; i < 256; i += 32)
    s[i] = A[i];
  __syncthreads();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  wmma::load_matrix_sync(a, s, 16);
  wmma::load_matrix_sync(b, B, 16);
  wmma::mma_sync(c, a, b, c);
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] *= 2.0f;
  wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
  __syncthreads();
  for (int e = threadIdx.x; e < 256; e += 32) {
    float sum = 1.0f;
    for (int k = 0; k < 16; ++k)
      sum += __half2float(A[e / 16 * 16 + k]) * __half2float(B[e % 16 * 16 + k]);
    assert(C[e] == 2.0f * sum);
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(int *)) {
  auto y = out<int>("out", 64);
  launch({1, 64}, kernel, y);
}
CASE(warp_handshake) { run(warp_handshake); }
CASE(shuffles) { run(shuffles); }
CASE(counters) { run(counters); }
CASE(early_exit) { run(early_exit); }
CASE(groups) {
  auto x = in<int>("x", 256), y = out<int>("out", 64);
  launch({1, 64}, groups, x, y);
}
CASE(fragments) {
  auto a = in<half>("A", 256), b = in<half>("B", 256);
  auto c = out<float>("C", 256);
  launch({1, 32}, fragments, a, b, c);
}
#endif
