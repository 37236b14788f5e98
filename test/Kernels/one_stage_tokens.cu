// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// First Hopper kernels in libcu++'s words, as the programming guide writes them:
// all threads arrive at a cuda::barrier, one with the bytes that it has the copy
// engine bring, and wait for the token that their arrival gave.
// verdicts: sm_90a, from which on libcu++ declares these functions
// REQUIRES: executor
// RUN: %variants --ways=few --arch=sm_90a --at-least=3 --legal=. \
// RUN:   --option=--allow-occupancy-drop %s

#include <cstdint>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <utility>

using bf16 = __nv_bfloat16;
using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__device__ inline uint32_t smem_u32(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
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

// The token lives outside of the loop.
__global__ void __launch_bounds__(128)
    gemm_guide(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
               float *out, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ barrier bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float d[8] = {};
  barrier::arrival_token token;
  for (int k = 0; k < K; k += BK) {
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_tensor_2d_global_to_shared(As, &a, k, 0, bar);
      cde::cp_async_bulk_tensor_2d_global_to_shared(Bs, &b, k, 0, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(As) + sizeof(Bs));
    } else {
      token = bar.arrive();
    }
    bar.wait(std::move(token));
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

// The token is declared in the loop; all arrive in one statement behind the issue.
constexpr int Piece = 256;
__global__ void __launch_bounds__(64) sum_pieces(const float *x, float *out, int n) {
  __shared__ alignas(128) float piece[Piece];
  __shared__ barrier full;
  const int tid = threadIdx.x;
  if (tid == 0) {
    init(&full, 64);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += Piece) {
    if (tid == 0) {
      cde::fence_proxy_async_shared_cta();
      cuda::device::barrier_expect_tx(full, Piece * 4);
      cuda::device::memcpy_async_tx(piece, x + i, cuda::aligned_size_t<16>(Piece * 4), full);
    }
    barrier::arrival_token token = full.arrive();
    full.wait(std::move(token));
    for (int j = tid; j < Piece; j += 64)
      sum = sum * 0.5f + piece[j];
    __syncthreads();
  }
  out[tid] = sum;
}

// One arrival, a parity; a template.
template <int Length> __global__ void weigh(const float *x, float *out, int pieces) {
  __shared__ alignas(128) float tile[2][Length];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0)
    init(&full, 1);
  cde::fence_proxy_async_shared_cta();
  __syncthreads();
  float sum = 0;
  for (int p = 0; p < pieces; ++p) {
    if (threadIdx.x == 0) {
      cde::fence_proxy_async_shared_cta();
      cde::cp_async_bulk_global_to_shared(tile[0], x + p * 2 * Length, Length * 4, full);
      cde::cp_async_bulk_global_to_shared(tile[1], x + (p * 2 + 1) * Length, Length * 4, full);
      (void)cuda::device::barrier_arrive_tx(full, 1, sizeof(tile));
    }
    full.wait_parity(p & 1);
    sum += tile[0][threadIdx.x] * tile[1][threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
template __global__ void weigh<32>(const float *, float *, int);
template __global__ void weigh<64>(const float *, float *, int);

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
CASE(gemm_guide) {
  for (int t : harness::trips()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, gemm_guide, map(a.as<void>(), (t + 1) * BK, BM),
           map(b.as<void>(), (t + 1) * BK, BN), c, t * BK);
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
