// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that arrive by cooperative_groups::memcpy_async and are waited for at
// once. What kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// Expected: pipelined; the block copies a contiguous tile, then waits.
__global__ void whole_block(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  cg::thread_block block = cg::this_thread_block();
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    cg::memcpy_async(block, tile, x + i, sizeof(float) * 256);
    cg::wait(block);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; 16 bytes by the alignment that the size promises.
__global__ void aligned_size(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    cg::memcpy_async(block, tile, &x[i], cuda::aligned_size_t<16>(sizeof(tile)));
    cg::wait_prior<0>(block);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    cg::sync(block);
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; numbers of elements on both sides, the smaller counts, so
// that the last tile is a part. Nothing reads what it leaves.
__global__ void layouts(const int *x, int *out, int n) {
  __shared__ int tile[128];
  auto block = cg::this_thread_block();
  int sum = 0;
  for (int i = 0; i < n; i += 128) {
    cg::memcpy_async(block, tile, 128, x + i, n - i);
    cg::wait(block);
    int end = n - i < 128 ? n - i : 128;
    for (int k = 0; k < end; ++k)
      sum = sum * 3 + tile[k];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; row by row, all rows before one wait.
__global__ void gemm_rows(const half *A, const half *B, float *C, int N, int K) {
  __shared__ __align__(16) half a[16][32];
  __shared__ __align__(16) half b[32][16];
  auto block = cg::this_thread_block();
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int r = 0; r < 16; ++r)
      cg::memcpy_async(block, a[r], A + (blockIdx.y * 16 + r) * K + k0,
                       cuda::aligned_size_t<16>(32 * sizeof(half)));
    for (int r = 0; r < 32; ++r)
      cg::memcpy_async(block, b[r], B + (k0 + r) * N + blockIdx.x * 16,
                       cuda::aligned_size_t<16>(16 * sizeof(half)));
    cg::wait(block);
#pragma unroll
    for (int k = 0; k < 32; ++k)
      sum += __half2float(a[threadIdx.y][k]) * __half2float(b[k][threadIdx.x]);
    block.sync();
  }
  C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = sum;
}

// Expected: refused or pipelined: the tile belongs to a warp, and only the warp
// waits for it; no barrier of the block is in the loop.
__global__ void each_warp_its_tile(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[2][64];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float *mine = tile[warp.meta_group_rank()];
  const float *from = x + warp.meta_group_rank() * n * 64;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cg::memcpy_async(warp, mine, from + t * 64, sizeof(float) * 64);
    cg::wait(warp);
    for (int k = 0; k < 64; ++k)
      sum += mine[k] * (k + warp.thread_rank());
    warp.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; each warp copies its rows, then the block meets.
__global__ void warps_share_a_tile(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[4][64];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int r = warp.meta_group_rank(); r < 4; r += warp.meta_group_size())
      cg::memcpy_async(warp, tile[r], x + (t * 4 + r) * 64, sizeof(float) * 64);
    cg::wait(warp);
    block.sync();
    for (int k = 0; k < 64; ++k)
      sum += tile[k % 4][threadIdx.x ^ (k & 31)];
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; each thread copies for itself, with the group of one.
__global__ void group_of_one(const double2 *x, double *out, int n) {
  __shared__ double2 tile[64];
  double sum = 0;
  for (int t = 0; t < n; ++t) {
    cg::memcpy_async(cg::this_thread(), &tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(double2));
    cg::wait(cg::this_thread());
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k].x * tile[63 - k].y;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; 2-D block, convolution, the filter by plain loads.
__global__ void conv_rows(const float *in, const float *filter, float *out, int rows, int channels) {
  __shared__ __align__(16) float image[4][20];
  __shared__ float weights[3];
  auto block = cg::this_thread_block();
  float acc = 0;
  for (int c = 0; c < channels; ++c) {
    for (int r = 0; r < 4; ++r)
      cg::memcpy_async(block, image[r], in + (c * rows + blockIdx.x * 4 + r) * 20, 20 * sizeof(float));
    if (block.thread_rank() < 3)
      weights[block.thread_rank()] = filter[c * 3 + block.thread_rank()];
    cg::wait(block);
    for (int k = 0; k < 3; ++k)
      acc += image[threadIdx.y][threadIdx.x + k] * weights[k];
    block.sync();
  }
  out[(blockIdx.x * 4 + threadIdx.y) * 16 + threadIdx.x] = acc;
}

// Expected: staged by hand, two buffers and wait_prior<1>.
__global__ void by_hand(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[2][128];
  auto block = cg::this_thread_block();
  float sum = 0;
  if (n > 0)
    cg::memcpy_async(block, tile[0], x, sizeof(tile[0]));
  for (int t = 0; t < n; ++t) {
    if (t + 1 < n) {
      cg::memcpy_async(block, tile[(t + 1) % 2], x + (t + 1) * 128, sizeof(tile[0]));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    for (int k = 0; k < 128; ++k)
      sum += tile[t % 2][k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: how many bytes arrive depends on the data, so the tile's
// rest is an older tile's.
__global__ void rest_of_older_tiles(const float *x, const int *sizes, float *out, int n) {
  __shared__ __align__(16) float tile[128];
  auto block = cg::this_thread_block();
  tile[threadIdx.x] = tile[threadIdx.x + 64] = 0;
  block.sync();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cg::memcpy_async(block, tile, x + t * 128, sizes[t] * sizeof(float));
    cg::wait(block);
    for (int k = 0; k < 128; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    block.sync();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void tiles(void (*kernel)(const float *, float *, int), int tile, int scale) {
  for (int n : multiples(scale)) {
    auto x = in<float>("x", n / scale * tile), y = out<float>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(whole_block) { tiles(whole_block, 256, 256); }
CASE(aligned_size) { tiles(aligned_size, 256, 256); }
CASE(layouts) {
  for (int n : sizes(128)) {
    auto x = in<int>("x", n), y = out<int>("out", 64);
    launch({1, 64}, layouts, x, y, n);
  }
}
CASE(gemm_rows) {
  for (int k : multiples(32)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", k * 32);
    auto c = out<float>("C", 32 * 32);
    launch({dim3(2, 2), dim3(16, 16)}, gemm_rows, a, b, c, 32, k);
  }
}
CASE(each_warp_its_tile) { tiles(each_warp_its_tile, 128, 1); }
CASE(warps_share_a_tile) { tiles(warps_share_a_tile, 256, 1); }
CASE(group_of_one) {
  for (int n : multiples(1)) {
    auto x = in<double>("x", n * 128), y = out<double>("out", 64);
    launch({1, 64}, group_of_one, x.as<double2>(), y, n);
  }
}
CASE(conv_rows) {
  for (int n : multiples(1)) {
    auto x = in<float>("in", n * 8 * 20), w = in<float>("filter", n * 3), y = out<float>("out", 8 * 16);
    launch({2, dim3(16, 4)}, conv_rows, x, w, y, 8, n);
  }
}
CASE(by_hand) { tiles(by_hand, 128, 1); }
CASE(rest_of_older_tiles) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 128), y = out<float>("out", 64);
    auto s = in<int>("sizes", n, [](int i) { return (i * 52 + 128) % 129; });
    launch({1, 64}, rest_of_older_tiles, x, s, y, n);
  }
}
#endif
