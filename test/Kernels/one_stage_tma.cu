// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First Hopper kernels: one thread has the copy engine bring a tile, all wait at
// one mbarrier, compute, and meet at a barrier. Written with PTX in functions of
// the author's, with the spellings that are common.
// REQUIRES: executor
// RUN: %variants --arch=sm_90a --at-least=5 --legal=. \
// RUN:   --option=--allow-occupancy-drop %s

#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;

__device__ inline uint32_t smem_u32(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void mbarrier_init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(bar)), "r"(count)
               : "memory");
}
__device__ inline void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void expect_bytes(uint64_t *bar, uint32_t bytes) {
  uint32_t address = smem_u32(bar);
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address), "r"(bytes)
               : "memory");
}
__device__ inline void arrive(uint64_t &bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem_u32(&bar)) : "memory");
}
__device__ inline void expect_only(uint64_t &bar, uint32_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(&bar)),
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
__device__ inline bool try_wait(uint64_t *bar, uint32_t parity) {
  uint32_t done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"(smem_u32(bar)), "r"(parity)
               : "memory");
  return done;
}
__device__ inline void tma_load(void *dst, const CUtensorMap *map, int x, int y, uint64_t *bar) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
               ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(smem_u32(dst)),
               "l"(map), "r"(x), "r"(y), "r"(smem_u32(bar))
               : "memory");
}
__device__ inline void bulk_load(void *dst, const void *src, uint32_t bytes, uint64_t *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1], %2, [%3];" ::"r"(smem_u32(dst)),
               "l"(src), "r"(bytes), "r"(smem_u32(bar))
               : "memory");
}
__device__ inline bool elect_one() {
  uint32_t one;
  asm volatile("{.reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p;}" : "=r"(one));
  return one;
}
__device__ inline void warpgroup_arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void warpgroup_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N> __device__ inline void warpgroup_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
__device__ inline uint64_t descriptor(const void *p) {
  return uint64_t((smem_u32(p) & 0x3ffff) >> 4) | uint64_t(1) << 16 | uint64_t(1024 >> 4) << 32 |
         uint64_t(1) << 62;
}
__device__ inline void wgmma_n16(float (&d)[8], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                 "+f"(d[6]), "+f"(d[7])
               : "l"(a), "l"(b));
}

constexpr int BM = 64, BN = 16, BK = 64;

__device__ inline void store_sums(float *out, const float (&d)[8]) {
  const int tid = threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    int row = tid / 32 * 16 + tid % 32 / 4 + i / 2 % 2 * 8;
    int column = i / 4 * 8 + tid % 4 * 2 + i % 2;
    out[row * BN + column] = d[i];
  }
}

// Static tiles, a phase bit.
__global__ void __launch_bounds__(128)
    gemm_phase(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
               float *out, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  float d[8] = {};
  uint32_t phase = 0;
  for (int k = 0; k < K; k += BK) {
    if (threadIdx.x == 0) {
      expect_bytes(&full, sizeof(As) + sizeof(Bs));
      tma_load(As, &a, k, 0, &full);
      tma_load(Bs, &b, k, 0, &full);
    }
    wait_parity(&full, phase);
    phase ^= 1;
    warpgroup_arrive();
#pragma unroll
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

// Dynamic shared memory, the tile's number as parity.
__global__ void __launch_bounds__(128)
    gemm_dynamic(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                 float *out, int tiles) {
  extern __shared__ __align__(1024) unsigned char smem[];
  bf16 *As = reinterpret_cast<bf16 *>(smem);
  bf16 *Bs = reinterpret_cast<bf16 *>(smem + BM * BK * sizeof(bf16));
  __shared__ alignas(8) uint64_t full[1];
  const int tid = threadIdx.x;
  if (tid == 0)
    mbarrier_init(&full[0], 1);
  fence_barrier_init();
  __syncthreads();
  float d[8] = {};
  for (int t = 0; t < tiles; ++t) {
    const int x = t * BK;
    if (tid == 0) {
      tma_load(As, &a, x, 0, full);
      tma_load(Bs, &b, x, 0, full);
      expect_bytes(full, (BM + BN) * BK * sizeof(bf16));
    }
    while (!try_wait(full, t & 1))
      ;
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(As + i), descriptor(Bs + i));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

// Sums that are scaled for each tile: wgmma are waited for.
__global__ void gemm_scaled(const __grid_constant__ CUtensorMap a,
                            const __grid_constant__ CUtensorMap b, float *out, int tiles) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  __shared__ uint64_t full;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  float d[8] = {}, all[8] = {};
  bool parity = false;
  for (int t = 0; t < tiles; t++) {
    if (warp == 0 && elect_one()) {
      expect_only(full, sizeof(As) + sizeof(Bs));
      arrive(full);
      tma_load(As, &a, t * BK, 0, &full);
      tma_load(Bs, &b, t * BK, 0, &full);
    }
    wait_parity(&full, parity);
    parity = !parity;
    for (int i = 0; i < 8; ++i)
      d[i] = 0;
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    for (int i = 0; i < 8; ++i)
      all[i] = all[i] * 0.5f + d[i];
    __syncthreads();
  }
  store_sums(out, all);
}

// Pieces of a long row, read by threads; scratch beside them.
constexpr int Piece = 256;
__global__ void __launch_bounds__(64)
    sum_pieces(const float *x, float *out, int n) {
  __shared__ alignas(128) float piece[Piece];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += Piece) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, Piece * 4);
      bulk_load(piece, x + i, Piece * 4, &full);
    }
    wait_parity(&full, (i / Piece) & 1);
    for (int j = threadIdx.x; j < Piece; j += 64)
      sum = sum * 0.5f + piece[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A template: both instances have one text.
template <int Length> __global__ void weigh(const float *x, float *out, int pieces) {
  __shared__ alignas(128) float tile[2][Length];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 1);
  fence_barrier_init();
  __syncthreads();
  float sum = 0;
  unsigned phase = 0;
  for (int p = 0; p < pieces; ++p) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, sizeof(tile));
      bulk_load(tile[0], x + p * 2 * Length, Length * 4, &full);
      bulk_load(tile[1], x + (p * 2 + 1) * Length, Length * 4, &full);
    }
    wait_parity(&full, phase);
    phase = phase ^ 1;
    sum += tile[0][threadIdx.x] * tile[1][threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void weigh<32>(const float *, float *, int);
template __global__ void weigh<64>(const float *, float *, int);

void run_dynamic(const CUtensorMap &a, const CUtensorMap &b, float *out, int tiles) {
  gemm_dynamic<<<1, 128, (BM + BN) * BK * sizeof(bf16)>>>(a, b, out, tiles);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static CUtensorMap map(void *data, int columns, int rows) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                   &found);
  CUtensorMap m = {};
  cuuint64_t size[] = {cuuint64_t(columns), cuuint64_t(rows)}, pitch[] = {cuuint64_t(columns) * 2};
  cuuint32_t box[] = {BK, cuuint32_t(rows)}, step[] = {1, 1};
  reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function)(
      &m, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, data, size, pitch, box, step,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  return m;
}
CASE(gemm_phase) {
  for (int t : harness::trips()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, gemm_phase, map(a.as<void>(), (t + 1) * BK, BM),
           map(b.as<void>(), (t + 1) * BK, BN), c, t * BK);
  }
}
CASE(gemm_dynamic) {
  for (int t : harness::trips()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    run_dynamic(map(a.as<void>(), (t + 1) * BK, BM), map(b.as<void>(), (t + 1) * BK, BN), c, t);
  }
}
CASE(gemm_scaled) {
  for (int t : harness::trips()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, gemm_scaled, map(a.as<void>(), (t + 1) * BK, BM),
           map(b.as<void>(), (t + 1) * BK, BN), c, t);
  }
}
CASE(sum_pieces) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * Piece);
    auto c = out<float>("y", 64);
    launch({1, 64}, sum_pieces, x, c, t * Piece);
  }
}
CASE(weigh) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * 128);
    auto c = out<float>("y", 32), d = out<float>("z", 64);
    launch({1, 32}, weigh<32>, x, c, t);
    launch({1, 64}, weigh<64>, x, d, t);
  }
}
#endif
