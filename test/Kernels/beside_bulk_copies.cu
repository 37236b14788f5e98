// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk copies bring a tile, and the compute has other shared arrays beside it:
// weights from before the loop, a place for sums, the end of a row. The copies
// write to none of them, though they are given a number for an address.
// REQUIRES: executor
// RUN: %variants --arch=sm_90a --at-least=4 --legal=. %s

#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t smem_u32(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void mbarrier_init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(bar)), "r"(count)
               : "memory");
}
__device__ inline void expect_bytes(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem_u32(bar)),
               "r"(bytes)
               : "memory");
}
__device__ inline void wait_parity(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n"
               ".reg .pred P1;\n"
               "LAB_WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
               "@P1 bra DONE;\n"
               "bra LAB_WAIT;\n"
               "DONE:\n"
               "}" ::"r"(smem_u32(bar)),
               "r"(parity)
               : "memory");
}
__device__ inline void bulk_load(void *dst, const void *src, uint32_t bytes, uint64_t *bar) {
  uint32_t to = smem_u32(dst);
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(to),
               "l"(src), "r"(bytes), "r"(smem_u32(bar))
               : "memory");
}
__device__ inline void load_piece(float *to, const float *from, uint64_t *bar) {
  bulk_load(to, from, 1024, bar);
}

constexpr int Piece = 256;

// Weights that are there before the loop.
__global__ void __launch_bounds__(64) weighs(const float *x, const float *weights, float *y, int n) {
  __shared__ alignas(128) float piece[Piece];
  __shared__ float w[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  w[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, Piece * 4);
      bulk_load(piece, x + i * Piece, Piece * 4, &full);
    }
    wait_parity(&full, phase);
    phase ^= 1;
    for (int j = 0; j < Piece; ++j)
      sum = sum * 0.5f + piece[j] * w[j & 63];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Threads tell one another what they found.
__global__ void __launch_bounds__(64) tells(const float *x, float *y, int n) {
  __shared__ alignas(128) float piece[Piece];
  __shared__ float scratch[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, Piece * 4);
      bulk_load(piece, x + i * Piece, Piece * 4, &full);
    }
    wait_parity(&full, phase);
    phase ^= 1;
    for (int j = threadIdx.x; j < Piece; j += 64)
      sum = sum * 0.5f + piece[j];
    scratch[threadIdx.x] = sum;
    __syncthreads();
    sum += scratch[63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What one turn leaves for the next, in a tile of two rows.
__global__ void __launch_bounds__(64) hands_on(const float *x, float *y, int n) {
  __shared__ alignas(128) float piece[2][Piece];
  __shared__ float last[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  last[threadIdx.x] = 1.0f;
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, Piece * 8);
      bulk_load(piece[0], x + i * 2 * Piece, Piece * 4, &full);
      bulk_load(&piece[1][0], x + (i * 2 + 1) * Piece, Piece * 4, &full);
    }
    wait_parity(&full, phase);
    phase ^= 1;
    sum = sum * 0.5f + last[63 - threadIdx.x];
    for (int j = threadIdx.x; j < Piece; j += 64)
      sum += piece[0][j] * piece[1][Piece - 1 - j];
    __syncthreads();
    last[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Through a function more, and a part of the array.
__global__ void __launch_bounds__(64) through_two(const float *x, const float *weights, float *y, int n) {
  __shared__ alignas(128) float piece[2 * Piece];
  __shared__ float w[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  w[threadIdx.x] = weights[threadIdx.x];
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, Piece * 8);
      load_piece(piece, x + i * 2 * Piece, &full);
      load_piece(piece + Piece, x + (i * 2 + 1) * Piece, &full);
    }
    wait_parity(&full, phase);
    phase ^= 1;
    for (int j = 0; j < 2 * Piece; ++j)
      sum = sum * 0.5f + piece[j] * w[j & 63];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(weighs) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * Piece), w = in<float>("w", 64);
    auto y = out<float>("y", 64);
    launch({1, 64}, weighs, x, w, y, t);
  }
}
CASE(tells) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * Piece);
    auto y = out<float>("y", 64);
    launch({1, 64}, tells, x, y, t);
  }
}
CASE(hands_on) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * 2 * Piece);
    auto y = out<float>("y", 64);
    launch({1, 64}, hands_on, x, y, t);
  }
}
CASE(through_two) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * 2 * Piece), w = in<float>("w", 64);
    auto y = out<float>("y", 64);
    launch({1, 64}, through_two, x, w, y, t);
  }
}
#endif
