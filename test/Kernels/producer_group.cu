// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-stage loops of the copy engine whose tiles a warpgroup of its own brings,
// which gives its registers to the author's threads: blocks of one to three
// warpgroups, with bounds of their own or none.
// REQUIRES: executor
// RUN: %kpipe rewrite --arch=sm_90a --producer=warpgroup --allow-occupancy-drop %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: %kpipe rewrite --arch=sm_90a --schedule=specialized --producer=warpgroup --stages=2 --inline-runtime --allow-occupancy-drop %s -o %t-two.cu
// RUN: %execute --arch=sm_90a --stages=3 %s %t.cu %t-two.cu --flag=-I%S
// ALL-COUNT-6: remark: pipelined K-loop
// ALL-NOT: not pipelined

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
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem_u32(bar)),
               "r"(bytes)
               : "memory");
}
__device__ inline void wait_parity(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n.reg .pred P1;\nLAB_WAIT:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
               "@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}" ::"r"(smem_u32(bar)),
               "r"(parity)
               : "memory");
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

constexpr int BM = 64, BN = 16, BK = 64, Threads = 128, Piece = 256;

// Static tiles, sums that stay in flight, an epilogue that meets at barriers.
__global__ void __launch_bounds__(Threads, 2)
    staged_sums(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                float *out, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  __shared__ float sums[BM * BN];
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
  const int tid = threadIdx.x;
  for (int i = 0; i < 8; ++i)
    sums[(tid / 32 * 16 + tid % 32 / 4 + i / 2 % 2 * 8) * BN + i / 4 * 8 + tid % 4 * 2 + i % 2] =
        d[i];
  __syncthreads();
  for (int i = tid; i < BM * BN; i += blockDim.x)
    out[i] = sums[i];
  if (K) {
    __syncthreads();
    out[tid] += sums[(tid + 1) % blockDim.x];
  }
}
void run_staged_sums(const CUtensorMap &a, const CUtensorMap &b, float *out, int K) {
  staged_sums<<<1, Threads>>>(a, b, out, K);
}

// Two warpgroups that share a tile of dynamic shared memory; sums that each tile
// drains.
__global__ void __launch_bounds__(2 * Threads, 1)
    two_groups(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
               float *out, int tiles) {
  extern __shared__ __align__(1024) unsigned char smem[];
  bf16 *As = reinterpret_cast<bf16 *>(smem);
  bf16 *Bs = reinterpret_cast<bf16 *>(smem + 2 * BM * BK * sizeof(bf16));
  __shared__ alignas(8) uint64_t full;
  const int tid = threadIdx.x, group = tid / 128;
  if (tid == 0) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  float d[8] = {}, all[8] = {};
  for (int t = 0; t < tiles; ++t) {
    if (tid == 0) {
      expect_bytes(&full, (2 * BM + BN) * BK * sizeof(bf16));
      tma_load(As, &a, t * BK, 0, &full);
      tma_load(Bs, &b, t * BK, 0, &full);
    }
    wait_parity(&full, t & 1);
    for (int i = 0; i < 8; ++i)
      d[i] = 0;
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(As + group * BM * BK + i), descriptor(Bs + i));
    warpgroup_commit();
    warpgroup_wait<0>();
    for (int i = 0; i < 8; ++i)
      all[i] = all[i] * 0.5f + d[i];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    out[i * blockDim.x + tid] = all[i];
}
void run_two_groups(const CUtensorMap &a, const CUtensorMap &b, float *out, int tiles) {
  two_groups<<<1, 2 * Threads, (2 * BM + BN) * BK * sizeof(bf16)>>>(a, b, out, tiles);
}

// What stands in front of the loop is for the author's threads; several blocks
// are to fit on an SM.
__global__ void __launch_bounds__(128, 4)
    in_front(const float *x, const float *w, float *out, int *count, int n) {
  __shared__ alignas(128) float piece[Piece];
  __shared__ float weight[128];
  __shared__ uint64_t full;
  int ahead = 0, table[2] = {1, 2};
  if (threadIdx.x % 32 == 0)
    atomicAdd(count, 1);
  weight[threadIdx.x] = w[threadIdx.x];
  for (int i = threadIdx.x; i < Piece; i += blockDim.x)
    ahead += table[i / 128];
  if (threadIdx.x == blockDim.x - 1) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  float sum = ahead, own = 0;
  for (int i = 0; i < 2; ++i)
    own += weight[(threadIdx.x + i * 7) % 128];
  for (int p = 0; p < (n + Piece - 1) / Piece; ++p) {
    if (threadIdx.x == 127) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, sizeof(piece));
      bulk_load(piece, x + p * Piece, Piece * 4, &full);
    }
    wait_parity(&full, p % 2);
    for (int j = threadIdx.x; j < Piece; j += blockDim.x)
      sum = sum * 0.5f + piece[j] * own;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
void run_in_front(const float *x, const float *w, float *out, int *count, int n) {
  in_front<<<2, 128>>>(x, w, out, count, n);
}

// A template with blocks of its argument's size and no bounds; scratch and
// barriers behind the loop.
template <int Length>
__global__ void weigh(const float *x, float *out, int pieces) {
  __shared__ alignas(128) float tile[2][Length];
  __shared__ float total[Length / 32];
  __shared__ uint64_t full;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (warp == 0 && lane == 0)
    mbarrier_init(&full, 1);
  fence_barrier_init();
  __syncthreads();
  float sum = 0;
  for (int p = 0; p < pieces; ++p) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, sizeof(tile));
      bulk_load(tile[0], x + p * 2 * Length, Length * 4, &full);
      bulk_load(tile[1], x + (p * 2 + 1) * Length, Length * 4, &full);
    }
    wait_parity(&full, p & 1);
    sum += tile[0][threadIdx.x] * tile[1][Length - 1 - threadIdx.x];
    __syncthreads();
  }
  for (int s = 16; s > 0; s /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, s);
  if (lane == 0)
    total[warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int i = 1; i < Length / 32; ++i)
      sum += total[i];
  out[threadIdx.x] = sum;
}
void run_weigh(const float *x, float *out, int pieces) {
  weigh<256><<<1, 256>>>(x, out, pieces);
}

// Bounds that allow more threads than there are; barriers in the compute region.
__global__ void __launch_bounds__(512) in_between(const float *x, float *out, int n) {
  __shared__ alignas(128) float piece[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  float sum = 0;
  for (int p = 0; p < n; ++p) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, sizeof(piece));
      bulk_load(piece, x + p * 256, sizeof(piece), &full);
    }
    wait_parity(&full, p & 1);
    sum += piece[threadIdx.x];
    __syncthreads();
    sum *= piece[255 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
void run_in_between(const float *x, float *out, int n) { in_between<<<1, 256>>>(x, out, n); }

// Three warpgroups, variables that live on, an issuer in the last warp.
__global__ void __launch_bounds__(384) wide(const float *x, float *out, int from, int to) {
  __shared__ alignas(128) float piece[384];
  __shared__ uint64_t full;
  if (threadIdx.x < 1) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();
  float sum = 0;
  int i = from, parity = 0;
  for (; i < to; i += 2) {
    if (threadIdx.x / 32 == 11 && threadIdx.x % 32 == 31) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      expect_bytes(&full, sizeof(piece));
      bulk_load(piece, x + i / 2 * 384, sizeof(piece), &full);
    }
    wait_parity(&full, parity);
    parity ^= 1;
    sum += piece[threadIdx.x] * i;
    __syncthreads();
  }
  out[threadIdx.x] = sum + i;
}
void run_wide(const float *x, float *out, int n) { wide<<<1, 384>>>(x, out, 4, 4 + n); }

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
template <typename Run> static void gemm(Run run, int unit, int rows) {
  for (int t : harness::trips()) {
    auto a = in<bf16>("A", rows * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", rows * BN);
    run(map(a.as<void>(), (t + 1) * BK, rows), map(b.as<void>(), (t + 1) * BK, BN), c, t * unit);
  }
}
template <typename Run> static void pieces(Run run, int piece, int outs, int unit = 1) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 2) * piece);
    auto y = out<float>("y", outs);
    run(x, y, t * unit);
  }
}
CASE(sums) { gemm(run_staged_sums, BK, BM); }
CASE(groups) { gemm(run_two_groups, 1, 2 * BM); }
CASE(front) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * Piece), w = in<float>("w", 128);
    auto y = out<float>("y", 256);
    auto count = in<int>("count", 1);
    run_in_front(x, w, y, count, t * Piece);
  }
}
CASE(instance) { pieces(run_weigh, 512, 256); }
CASE(between) { pieces(run_in_between, 256, 256); }
CASE(widest) { pieces(run_wide, 384, 384, 2); }
#endif
