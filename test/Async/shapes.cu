// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops around asynchronous copies as programs have them: tensor cores, dynamic
// shared memory, views, helpers that hold the whole load, members, conditions.
// What kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

// Expected: pipelined; a warp copies rows in a loop, each copy is a group, one
// wait behind it; wmma from padded rows of dynamic shared memory.
__global__ void wmma_rows(const half *A, const half *B, float *C, int K) {
  extern __shared__ half smem[][40];
  auto pipe = cuda::make_pipeline();
  const auto shape = cuda::aligned_size_t<16>(sizeof(int4));
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
#pragma unroll 1
  for (int k0 = 0; k0 < K; k0 += 32) {
    // 16 rows of A and as many of B, a half for each warp.
    const half *from = (warp == 0 ? A : B) + lane / 4 * K + k0 + lane % 4 * 8;
    unsigned row = warp * 16 + lane / 4;
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&smem[row][lane % 4 * 8], from, shape, pipe);
      pipe.producer_commit();
      from += 8 * K;
      row += 8;
    }
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    if (warp == 0)
      for (int k = 0; k < 32; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
        wmma::load_matrix_sync(a, &smem[0][k], 40);
        wmma::load_matrix_sync(b, &smem[16][k], 40);
        wmma::mma_sync(c, a, b, c);
      }
    pipe.consumer_release();
    __syncthreads();
  }
  if (warp == 0)
    wmma::store_matrix_sync(C, c, 16, wmma::mem_row_major);
}

// The load as a whole, with its wait.
__device__ __forceinline__ void load_tile(float *tile, const float *from, int bytes) {
  for (int at = threadIdx.x * 16; at < bytes; at += blockDim.x * 16)
    __pipeline_memcpy_async((char *)tile + at, (const char *)from + at, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
}

// Expected: pipelined; load and wait stand in a helper that knows bytes only.
__global__ void load_in_helper(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[512];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    load_tile(tile, x + t * 512, sizeof(tile));
    for (int k = 0; k < 512; ++k)
      sum += tile[k] * (k & 7);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; two tiles are views of one block of dynamic memory.
__global__ void views(const float *A, const float *B, float *C, int K) {
  extern __shared__ float raw[];
  float *a = raw, *b = raw + 16 * 16;
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    __pipeline_memcpy_async(a + ty * 16 + tx, A + ty * K + k0 + tx, sizeof(float));
    __pipeline_memcpy_async(b + ty * 16 + tx, B + (k0 + ty) * 16 + tx, sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += a[ty * 16 + k] * b[k * 16 + tx];
    __syncthreads();
  }
  C[ty * 16 + tx] = sum;
}

// Expected: pipelined; the pointers walk, the wait is the last thing in front of
// the barrier, int8 with dp4a.
__global__ void igemm(const int *A, const int *B, int *C, int K4) {
  __shared__ int a[16][9], b[8][16];
  int tid = threadIdx.x;
  const int *pa = A + tid / 8 * K4 + tid % 8, *pb = B + tid;
  int acc[2] = {};
  for (int k = K4; k > 0; k -= 8) {
    __pipeline_memcpy_async(&a[tid / 8][tid % 8], pa, 4);
    __pipeline_memcpy_async(&b[0][0] + tid, pb, 4);
    pa += 8;
    pb += 128;
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 2; ++j)
        acc[j] = __dp4a(a[tid / 8][i], b[i][tid % 8 * 2 + j], acc[j]);
    __syncthreads();
  }
  for (int j = 0; j < 2; ++j)
    C[tid / 8 * 16 + tid % 8 * 2 + j] = acc[j];
}

// Expected: pipelined; a tile object with a member that copies and one that waits.
template <class T, int N> struct Tile {
  T data[N];
  __device__ void fetch(const T *from) {
    __pipeline_memcpy_async(&data[threadIdx.x], from + threadIdx.x, sizeof(T));
    __pipeline_commit();
  }
  __device__ static void ready() {
    __pipeline_wait_prior(0);
    __syncthreads();
  }
};
template <class T> __global__ void tile_object(const T *x, T *out, int n) {
  __shared__ Tile<T, 64> tile;
  T best = T(-1000);
  for (int t = 0; t < n; ++t) {
    tile.fetch(x + t * 64);
    tile.ready();
    for (int k = 0; k < 64; ++k) {
      T v = tile.data[k] * T(threadIdx.x & 3);
      best = best < v ? v : best;
    }
    __syncthreads();
  }
  out[threadIdx.x] = best;
}

// Expected: pipelined; the wait comes first in the next stretch, behind what needs
// no tile.
__global__ void work_before_the_wait(const float *x, const float *bias, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float));
    __pipeline_commit();
    float b = bias[t] * 2.0f;
    sum += b;
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * b;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: a tile of the loop's end is read behind it, while its copy
// was never followed by this loop's barrier for the next tile. The values must be
// the last tile's.
__global__ void last_tile_is_read(const float *x, float *out, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = 0;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum + tile[threadIdx.x];
}

// Expected: refused: the next tile's place is in this one.
__global__ void linked(const int *x, int *out, int n) {
  __shared__ int tile[64];
  int sum = 0, at = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[at * 64 + threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    at = tile[0];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the compute writes what the next tile is copied from.
__global__ void in_place(float *x, int n) {
  __shared__ float tile[65];
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float));
    if (threadIdx.x == 0)
      __pipeline_memcpy_async(&tile[64], &x[t * 64 + 64], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    float next = tile[threadIdx.x + 1];
    x[t * 64 + 64 + threadIdx.x] = tile[threadIdx.x] * 0.5f + next;
    __syncthreads();
  }
}

// Expected: refused: the compute changes the tile in place and adds to what it
// holds. Pipelined where the whole tile is copied anew, as here.
__global__ void scaled_in_place(const float *x, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    tile[threadIdx.x] *= 0.25f; // its own element, which has arrived
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * k;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: a different number of tiles for each thread of the block
// would not meet at the barrier; here the condition is the block's, so pipelined.
__global__ void skips_tiles(const float *x, const int *mask, float *out, int n) {
  __shared__ float tile[64];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (!mask[t])
      continue;
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * t;
    __syncthreads();
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
CASE(wmma_rows) {
  for (int k : multiples(32)) {
    auto a = in<half>("A", 16 * k), b = in<half>("B", 16 * k);
    auto c = out<float>("C", 256);
    launch({1, 64, 32 * 40 * sizeof(half)}, wmma_rows, a, b, c, k);
  }
}
CASE(load_in_helper) { tiles(load_in_helper, 512); }
CASE(views) {
  for (int k : multiples(16)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", k * 16), c = out<float>("C", 256);
    launch({1, dim3(16, 16), 2048}, views, a, b, c, k);
  }
}
CASE(igemm) {
  for (int k : multiples(8)) {
    auto a = in<int>("A", 16 * k), b = in<int>("B", k * 16), c = out<int>("C", 256);
    launch({1, 128}, igemm, a, b, c, k);
  }
}
CASE(tile_object) {
  tiles(tile_object<float>, 64);
  for (int n : multiples(1)) {
    auto x = in<double>("x", n * 64), y = out<double>("out", 64);
    launch({1, 64}, tile_object<double>, x, y, n);
  }
}
CASE(work_before_the_wait) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), b = in<float>("bias", n), y = out<float>("out", 64);
    launch({1, 64}, work_before_the_wait, x, b, y, n);
  }
}
CASE(last_tile_is_read) { tiles(last_tile_is_read, 64); }
CASE(linked) {
  for (int n : multiples(1)) {
    auto x = in<int>("x", 8 * 64, [](int i) { return i % 64 ? i % 13 : (i / 64 * 5 + 3) % 8; });
    auto y = out<int>("out", 64);
    launch({1, 64}, linked, x, y, n);
  }
}
CASE(in_place) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64 + 128);
    launch({1, 64}, in_place, x, n);
  }
}
CASE(scaled_in_place) { tiles(scaled_in_place, 64); }
CASE(skips_tiles) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), y = out<float>("out", 64);
    auto m = in<int>("mask", n, [](int i) { return i % 3 != 1; });
    launch({1, 64}, skips_tiles, x, m, y, n);
  }
}
#endif
