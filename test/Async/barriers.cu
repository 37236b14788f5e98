// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that arrive at a cuda::barrier and are waited for at once. What kpipe is
// to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda_awbarrier_primitives.h>
#include <cuda_fp16.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
#pragma nv_diag_suppress static_var_with_dynamic_init

// Expected: pipelined; a quarter of the threads copies, all arrive and wait.
__global__ void quarter_copies(const float *A, const float *B, float *C, int N, int K) {
  __shared__ alignas(alignof(float4)) float a[16][16];
  __shared__ alignas(alignof(float4)) float b[16][16];
  __shared__ barrier bar;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    init(&bar, blockDim.x * blockDim.y);
  __syncthreads();
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  int t4x = threadIdx.x * 4;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    if (t4x < 16) {
      auto *a4 = reinterpret_cast<float4 *>(&a[threadIdx.y][t4x]);
      auto *b4 = reinterpret_cast<float4 *>(&b[threadIdx.y][t4x]);
      cuda::memcpy_async(a4, reinterpret_cast<const float4 *>(&A[row * K + k0 + t4x]), sizeof(float4), bar);
      cuda::memcpy_async(
          b4, reinterpret_cast<const float4 *>(&B[(k0 + threadIdx.y) * N + blockIdx.x * 16 + t4x]),
          sizeof(float4), bar);
    }
    bar.arrive_and_wait();
#pragma unroll
    for (int k = 0; k < 16; ++k)
      sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Expected: pipelined; the block copies, the barrier closes the loop's body, too.
__global__ void block_copies(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ barrier bar;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    cuda::memcpy_async(block, tile, x + i, cuda::aligned_size_t<16>(sizeof(tile)), bar);
    bar.arrive_and_wait();
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; what is between arrival and wait touches no tile.
__global__ void token(const double *x, double *out, int n) {
  __shared__ double tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  double sum = 0, scale = 1;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(double), bar);
    barrier::arrival_token arrived = bar.arrive();
    scale *= 0.5;
    bar.wait(std::move(arrived));
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * scale;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; one barrier for each tile.
__global__ void barrier_per_operand(const float *x, const float *w, float *out, int n) {
  __shared__ float a[64], b[64];
  __shared__ barrier bars[2];
  if (threadIdx.x < 2)
    init(&bars[threadIdx.x], blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&a[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bars[0]);
    cuda::memcpy_async(&b[threadIdx.x], &w[t * 64 + threadIdx.x], sizeof(float), bars[1]);
    auto first = bars[0].arrive(), second = bars[1].arrive();
    bars[0].wait(std::move(first));
    bars[1].wait(std::move(second));
    for (int k = 0; k < 64; ++k)
      sum += a[k] * b[k ^ threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the copies are inline cp.async, and arrive by themselves.
__global__ void arrive_noinc(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  unsigned to = __cvta_generic_to_shared(&tile[threadIdx.x * 4]);
  unsigned handle = __cvta_generic_to_shared(cuda::device::barrier_native_handle(bar));
  float sum = 0;
  bool phase = false;
  for (int i = 0; i < n; i += 256) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(&x[i + threadIdx.x * 4]) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(handle) : "memory");
    bar.wait_parity(phase);
    phase = !phase;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  asm volatile("cp.async.wait_all;");
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the C functions.
__global__ void c_functions(const int *x, int *out, int n) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    __mbarrier_init(&bar, 64);
  __syncthreads();
  int sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(&bar);
    __mbarrier_token_t arrived = __mbarrier_arrive(&bar);
    while (!__mbarrier_try_wait(&bar, arrived, 1000)) {
    }
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = sum;
}

// Expected: pipelined; in a template with a dependent barrier, by a helper.
template <class Barrier, class T>
__device__ void fetch(T *to, const T *from, Barrier &bar) {
  cuda::memcpy_async(to, from, sizeof(T), bar);
  bar.arrive_and_wait();
}
template <class T, cuda::thread_scope Scope> __global__ void by_helper(const T *x, T *out, int n) {
  __shared__ T tile[64];
  __shared__ cuda::barrier<Scope> bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  T sum = 0;
  for (int t = 0; t < n; ++t) {
    fetch(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], bar);
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * T(k & 3);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: only the first warp copies, arrives and waits; the others
// are held by a barrier of the block, which is what counts. Pipelined if the
// barrier object is seen to be the copies' wait and no more.
__global__ void counts_one_warp(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, 32);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 32) {
      cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
      cuda::memcpy_async(&tile[threadIdx.x + 32], &x[t * 64 + threadIdx.x + 32], sizeof(float), bar);
      bar.arrive_and_wait();
    }
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: half of the threads leave the barrier behind the first tile.
__global__ void drops(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 32)
      for (int k = threadIdx.x; k < 64; k += 32)
        cuda::memcpy_async(&tile[k], &x[t * 64 + k], sizeof(float), bar);
    bar.arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    if (threadIdx.x >= 32) {
      bar.arrive_and_drop();
      break;
    }
    bar.arrive_and_wait();
  }
  out[threadIdx.x] = sum;
}

// Expected: staged by hand: a barrier for each of two buffers.
__global__ void by_hand(const float *x, float *out, int n) {
  __shared__ float tile[2][64];
  __shared__ barrier bars[2];
  if (threadIdx.x == 0) {
    init(&bars[0], blockDim.x);
    init(&bars[1], blockDim.x);
  }
  __syncthreads();
  float sum = 0;
  auto fetch = [&](int t) {
    cuda::memcpy_async(&tile[t & 1][threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bars[t & 1]);
  };
  if (n > 0)
    fetch(0);
  for (int t = 0; t < n; ++t) {
    if (t + 1 < n)
      fetch(t + 1);
    bars[t & 1].arrive_and_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[t & 1][k] * (k ^ threadIdx.x);
    __syncthreads();
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
CASE(quarter_copies) {
  for (int k : multiples(16)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 32), c = out<float>("C", 32 * 32);
    launch({dim3(2, 2), dim3(16, 16)}, quarter_copies, a, b, c, 32, k);
  }
}
CASE(block_copies) { tiles(block_copies, 256, 256); }
CASE(token) {
  for (int n : multiples(1)) {
    auto x = in<double>("x", n * 64), y = out<double>("out", 64);
    launch({1, 64}, token, x, y, n);
  }
}
CASE(barrier_per_operand) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), w = in<float>("w", n * 64), y = out<float>("out", 64);
    launch({1, 64}, barrier_per_operand, x, w, y, n);
  }
}
CASE(arrive_noinc) { tiles(arrive_noinc, 256, 256); }
CASE(c_functions) {
  for (int n : multiples(1)) {
    auto x = in<int>("x", n * 64), y = out<int>("out", 64);
    launch({1, 64}, c_functions, x, y, n);
  }
}
CASE(by_helper) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), y = out<float>("out", 64);
    launch({1, 64}, by_helper<float, cuda::thread_scope_block>, x, y, n);
    auto d = in<double>("d", n * 64), e = out<double>("out2", 64);
    launch({1, 64}, by_helper<double, cuda::thread_scope_block>, d, e, n);
  }
}
CASE(counts_one_warp) { tiles(counts_one_warp, 64, 1); }
CASE(drops) { tiles(drops, 64, 1); }
CASE(by_hand) { tiles(by_hand, 64, 1); }
#endif
