// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that arrive through a cuda::pipeline and are waited for at once. What
// kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

// Expected: pipelined; each thread has a pipeline and waits for its own copies.
__global__ void thread_scope(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[16][16], b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    pipe.producer_acquire();
    cuda::memcpy_async(&a[ty][tx], &A[row * K + k0 + tx], sizeof(float), pipe);
    cuda::memcpy_async(&b[ty][tx], &B[(k0 + ty) * N + col], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k)
      sum += a[ty][k] * b[k][tx];
    pipe.consumer_release();
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Expected: pipelined; only some threads copy, of a type, and of a size with an
// alignment.
template <typename T>
__global__ void vectors_by_some(const T *x, T *out, int n) {
  constexpr int Chunk = 16 / sizeof(T), Tile = 128;
  const auto shape = cuda::aligned_size_t<16>(16);
  __shared__ __align__(16) T tile[Tile];
  auto pipe = cuda::make_pipeline();
  T sum = 0;
  for (int i = 0; i < n; i += Tile) {
    pipe.producer_acquire();
    if (threadIdx.x < Tile / Chunk)
      cuda::memcpy_async(&tile[threadIdx.x * Chunk], &x[i + threadIdx.x * Chunk], shape, pipe);
    pipe.producer_commit();
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += tile[k] * T(k % 3);
    __syncthreads();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; block scope, all produce and consume, one stage. The wait
// is the barrier, and the next acquire the closing one.
__global__ void block_unified(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, tile, x + i, cuda::aligned_size_t<16>(sizeof(float) * 256), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the same, with two tiles, the type's alignment, and blocks
// in two dimensions.
__global__ void block_unified_gemm(const double *A, const double *B, double *C, int N, int K) {
  __shared__ double a[16][16], b[16][16];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  double sum = 0;
  for (int k0 = 0; k0 < K; k0 += 16) {
    pipe.producer_acquire();
    for (int r = 0; r < 16; ++r) {
      cuda::memcpy_async(block, a[r], A + (blockIdx.y * 16 + r) * K + k0, sizeof(a[r]), pipe);
      cuda::memcpy_async(block, b[r], B + (k0 + r) * N + blockIdx.x * 16, sizeof(b[r]), pipe);
    }
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 16; ++k)
      sum += a[threadIdx.y][k] * b[k][threadIdx.x];
    pipe.consumer_release();
  }
  C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = sum;
}

// Expected: pipelined: a role for each warp, but one stage, so that they take
// turns. Refused at least.
__global__ void partitioned_one_stage(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[128];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto block = cg::this_thread_block();
  auto role = block.thread_rank() < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (int i = 0; i < n; i += 128) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, tile, x + i, cuda::aligned_size_t<16>(sizeof(tile)), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < 128; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      pipe.consumer_release();
    }
  }
  if (role == cuda::pipeline_role::consumer)
    out[threadIdx.x - 32] = sum;
}

// Expected: pipelined; the state in a struct with its tile, in shared memory that
// grows with the launch.
struct Storage {
  float tile[256];
  cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
};
__global__ void state_in_dynamic_memory(const float *x, float *out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  Storage &s = *reinterpret_cast<Storage *>(raw);
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &s.state);
  float sum = 0;
  for (int i = 0; i < n; i += 256) {
    pipe.producer_acquire();
    cuda::memcpy_async(block, s.tile, x + i, sizeof(s.tile), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < 256; ++k)
      sum += s.tile[k] * (k ^ threadIdx.x);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; half elements without a promised alignment are copied at
// once by CUDA, and may be so by kpipe.
__global__ void not_aligned(const half *x, float *out, int n) {
  __shared__ half tile[64];
  auto pipe = cuda::make_pipeline();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(half), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += __half2float(tile[k]) * k;
    __syncthreads();
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: staged by hand, two stages in shared memory, block scope.
template <int Stages> __global__ void by_hand_block(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[Stages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  float sum = 0;
  for (int compute = 0, fetch = 0; compute < n; ++compute) {
    for (; fetch < n && fetch < compute + Stages; ++fetch) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[fetch % Stages], x + fetch * 64, sizeof(float) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    for (int k = 0; k < 64; ++k)
      sum += tile[compute % Stages][k] * (k ^ threadIdx.x);
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

// Expected: staged by hand, thread scope.
__global__ void by_hand_thread(const float *x, float *out, int n) {
  __shared__ float tile[3][64];
  auto pipe = cuda::make_pipeline();
  float sum = 0;
  auto fetch = [&](int t) {
    pipe.producer_acquire();
    if (t < n)
      cuda::memcpy_async(&tile[t % 3][threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
  };
  fetch(0);
  fetch(1);
  for (int t = 0; t < n; ++t) {
    fetch(t + 2);
    cuda::pipeline_consumer_wait_prior<2>(pipe);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[t % 3][k] * (k ^ threadIdx.x);
    __syncthreads();
    pipe.consumer_release();
  }
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  out[threadIdx.x] = sum;
}

// Expected: staged by hand: producers run ahead of consumers.
__global__ void specialised_two_stages(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 32);
  if (threadIdx.x < 32) {
    for (int t = 0; t < n; ++t) {
      pipe.producer_acquire();
      for (int k = threadIdx.x; k < 64; k += 32)
        cuda::memcpy_async(&tile[t % 2][k], &x[t * 64 + k], sizeof(float), pipe);
      pipe.producer_commit();
    }
  } else {
    float sum = 0;
    for (int t = 0; t < n; ++t) {
      pipe.consumer_wait();
      for (int k = 0; k < 64; ++k)
        sum += tile[t % 2][k] * (k ^ threadIdx.x);
      pipe.consumer_release();
    }
    out[threadIdx.x - 32] = sum;
  }
}

// Expected: refused: the pipeline has a copy in flight when the loop begins, for
// which its first wait waits, and the last tile's is waited for behind it.
__global__ void also_used_behind(const float *x, const float *y, float *out, int n) {
  __shared__ float tile[64], other[64];
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(&other[threadIdx.x], &y[threadIdx.x], sizeof(float), pipe);
  pipe.producer_commit();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait(); // for what the last iteration copied
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * other[k];
    __syncthreads();
  }
  pipe.consumer_wait();
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(thread_scope) {
  for (int k : multiples(16)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 32), c = out<float>("C", 32 * 32);
    launch({dim3(2, 2), dim3(16, 16)}, thread_scope, a, b, c, 32, 32, k);
  }
}
CASE(vectors_by_some) {
  for (int n : multiples(128)) {
    auto x = in<float>("x", n), y = out<float>("out", 64);
    launch({1, 64}, vectors_by_some<float>, x, y, n);
    auto d = in<int>("d", n), e = out<int>("out2", 64);
    launch({1, 64}, vectors_by_some<int>, d, e, n);
  }
}
static void tiles(void (*kernel)(const float *, float *, int), int tile, int scale, int threads = 64,
                  int bytes = 0) {
  for (int n : multiples(scale)) {
    auto x = in<float>("x", n / scale * tile), y = out<float>("out", 64);
    launch({1, threads, std::size_t(bytes)}, kernel, x, y, n);
  }
}
CASE(block_unified) { tiles(block_unified, 256, 256); }
CASE(block_unified_gemm) {
  for (int k : multiples(16)) {
    auto a = in<double>("A", 32 * k), b = in<double>("B", k * 32), c = out<double>("C", 32 * 32);
    launch({dim3(2, 2), dim3(16, 16)}, block_unified_gemm, a, b, c, 32, k);
  }
}
CASE(partitioned_one_stage) { tiles(partitioned_one_stage, 128, 128, 96); }
CASE(state_in_dynamic_memory) { tiles(state_in_dynamic_memory, 256, 256, 64, sizeof(Storage)); }
CASE(not_aligned) {
  for (int n : multiples(1)) {
    auto x = in<half>("x", n * 64);
    auto y = out<float>("out", 64);
    launch({1, 64}, not_aligned, x, y, n);
  }
}
CASE(by_hand_block) {
  tiles(by_hand_block<2>, 64, 1);
  tiles(by_hand_block<3>, 64, 1);
}
CASE(by_hand_thread) { tiles(by_hand_thread, 64, 1); }
CASE(specialised_two_stages) { tiles(specialised_two_stages, 64, 1, 96); }
CASE(also_used_behind) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 64), z = in<float>("y", 64), y = out<float>("out", 64);
    launch({1, 64}, also_used_behind, x, z, y, n);
  }
}
#endif
