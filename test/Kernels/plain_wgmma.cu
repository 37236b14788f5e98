// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that threads store themselves, to where wgmma reads them: a fence of the
// proxy, a barrier, a group of wgmma and the wait for it. They become a ring that
// cp.async fills, and where nothing but wgmma touches the sums one group stays in
// flight.
// REQUIRES: executor
// RUN: %variants --arch=sm_90a --at-least=12 --legal=. \
// RUN:   --option=--allow-occupancy-drop %s

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;

__device__ inline uint32_t smem_u32(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ inline void warpgroup_arrive() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void warpgroup_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N> __device__ inline void warpgroup_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
// Swizzle: 0 none, 1 128 bytes, 2 64 bytes.
__device__ inline uint64_t descriptor(const void *p, int stride = 1024, int leading = 16,
                                      uint64_t swizzle = 1) {
  return uint64_t((smem_u32(p) & 0x3ffff) >> 4) | uint64_t(leading >> 4) << 16 |
         uint64_t(stride >> 4) << 32 | swizzle << 62;
}
__device__ inline void wgmma_n16(float (&d)[8], uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                 "+f"(d[6]), "+f"(d[7])
               : "l"(a), "l"(b));
}
__device__ inline void wgmma_n16_half(float *d, uint64_t a, uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                 "+f"(d[6]), "+f"(d[7])
               : "l"(a), "l"(b));
}
__device__ inline void wgmma_n16_registers(float (&d)[8], const uint32_t (&a)[4], uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
               "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, 1, 1, 1, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                 "+f"(d[6]), "+f"(d[7])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

constexpr int BM = 64, BN = 16, BK = 64;

__device__ inline void store_sums(float *out, const float *d) {
  const int tid = threadIdx.x % 128;
  out += threadIdx.x / 128 * BM * BN;
  for (int i = 0; i < 8; ++i) {
    int row = tid / 32 * 16 + tid % 32 / 4 + i / 2 % 2 * 8;
    int column = i / 4 * 8 + tid % 4 * 2 + i % 2;
    out[row * BN + column] = d[i];
  }
}

// Static tiles, 128-byte swizzle.
__global__ void __launch_bounds__(128)
    plain_static(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
                 int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  for (int k = 0; k < K; k += BK) {
    for (int v = tid; v < BM * BK / 8; v += 128) {
      int r = v / 8, c = v % 8;
      *reinterpret_cast<uint4 *>(&As[r * BK + (c ^ r % 8) * 8]) =
          *reinterpret_cast<const uint4 *>(&A[r * K + k + c * 8]);
    }
    {
      int r = tid / 8, c = tid % 8;
      *reinterpret_cast<uint4 *>(&Bs[r * BK + (c ^ r % 8) * 8]) =
          *reinterpret_cast<const uint4 *>(&B[r * K + k + c * 8]);
    }
    fence_async();
    __syncthreads();
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

// Dynamic shared memory with views, two warpgroups, rows that may be outside.
__global__ void __launch_bounds__(256)
    plain_dynamic(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
                  int rows, int K) {
  extern __shared__ __align__(1024) unsigned char smem[];
  bf16 *As = reinterpret_cast<bf16 *>(smem);
  bf16 *Bs = reinterpret_cast<bf16 *>(smem + 2 * BM * BK * sizeof(bf16));
  const int tid = threadIdx.x, group = tid / 128;
  float d[8] = {};
  for (int k = 0; k < K; k += BK) {
#pragma unroll
    for (int i = 0; i < 2 * BM * BK / 8 / 256; ++i) {
      int v = tid + i * 256, r = v / 8, c = v % 8;
      *reinterpret_cast<uint4 *>(As + r * BK + (c ^ (r & 7)) * 8) =
          r < rows ? *reinterpret_cast<const uint4 *>(A + r * K + k + c * 8)
                   : make_uint4(0, 0, 0, 0);
    }
    if (tid < 128) {
      int r = tid / 8, c = tid % 8;
      *reinterpret_cast<uint4 *>(Bs + r * BK + (c ^ (r & 7)) * 8) =
          *reinterpret_cast<const uint4 *>(B + r * K + k + c * 8);
    }
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(As + group * BM * BK + i), descriptor(Bs + i));
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  store_sums(out, d);
}

// Rows of 64 bytes and their swizzle, f16, a barrier first, everything in macros.
#define FENCE_PROXY() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define WG_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WG_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WG_WAIT(N) asm volatile("wgmma.wait_group.sync.aligned " #N ";" ::: "memory")
__global__ void __launch_bounds__(128)
    plain_narrow(float *__restrict__ out, const __half *__restrict__ A,
                 const __half *__restrict__ B, int tiles) {
  __shared__ alignas(1024) __half As[BM][32], Bs[BN * 2][32];
  const int r = threadIdx.x / 4, c = threadIdx.x % 4;
  float d[8] = {};
  int t = 0;
  while (t < tiles) {
    __syncthreads();
    *(uint4 *)&As[r][(c ^ r / 2 % 4) * 8] = *(const uint4 *)&A[r * tiles * 32 + t * 32 + c * 8];
    *(uint4 *)&As[r + 32][(c ^ r / 2 % 4) * 8] =
        *(const uint4 *)&A[(r + 32) * tiles * 32 + t * 32 + c * 8];
    *(uint4 *)&Bs[r][(c ^ r / 2 % 4) * 8] = *(const uint4 *)&B[r * tiles * 32 + t * 32 + c * 8];
    FENCE_PROXY();
    __syncthreads();
    WG_FENCE();
    wgmma_n16_half(d, descriptor(As, 512, 16, 2), descriptor(Bs, 512, 16, 2));
    wgmma_n16_half(d, descriptor(&As[0][16], 512, 16, 2), descriptor(&Bs[0][16], 512, 16, 2));
    WG_COMMIT();
    WG_WAIT(0);
    ++t;
  }
  store_sums(out, d);
}

// A from registers: only B is read by wgmma, and groups are drained.
__global__ void __launch_bounds__(128)
    plain_registers(float *__restrict__ out, const bf16 *__restrict__ A,
                    const bf16 *__restrict__ B, int K) {
  __shared__ alignas(16) bf16 As[BM][BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x, r = tid / 8, c = tid % 8;
  float d[8] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = 0; i < BM; i += 16)
      *(int4 *)&As[r + i][c * 8] = *(const int4 *)&A[(r + i) * K + k + c * 8];
    *(int4 *)&Bs[r * BK + (c ^ r % 8) * 8] = *(const int4 *)&B[r * K + k + c * 8];
    fence_async();
    __syncthreads();
    for (int i = 0; i < BK; i += 16) {
      const int row = tid / 32 * 16 + tid % 32 / 4, column = i + tid % 4 * 2;
      uint32_t a[4] = {*(const uint32_t *)&As[row][column], *(const uint32_t *)&As[row + 8][column],
                       *(const uint32_t *)&As[row][column + 8],
                       *(const uint32_t *)&As[row + 8][column + 8]};
      warpgroup_arrive();
      wgmma_n16_registers(d, a, descriptor(&Bs[i]));
      warpgroup_commit();
      warpgroup_wait<0>();
    }
    __syncthreads();
  }
  store_sums(out, d);
}

// No swizzle: cores of 8 rows of 16 bytes; sums that the loop uses; a template.
template <int Depth>
__global__ void plain_scaled(float *__restrict__ out, const bf16 *__restrict__ A,
                             const bf16 *__restrict__ B, const float *__restrict__ scales,
                             int tiles) {
  __shared__ alignas(128) bf16 As[BM * Depth], Bs[32 * Depth];
  float total[8] = {}, d[8];
  const int K = tiles * Depth;
  for (int t = 0; t < tiles; ++t) {
    for (int v = threadIdx.x; v < BM * Depth / 8; v += 128) {
      const int r = v % BM, c = v / BM;
      *reinterpret_cast<float4 *>(As + c * BM * 8 + r * 8) =
          *reinterpret_cast<const float4 *>(A + r * K + t * Depth + c * 8);
    }
    for (int v = threadIdx.x; v < 32 * Depth / 8; v += 128) {
      const int r = v % 32, c = v / 32;
      *reinterpret_cast<float4 *>(Bs + c * 32 * 8 + r * 8) =
          *reinterpret_cast<const float4 *>(B + r * K + t * Depth + c * 8);
    }
    fence_async();
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      d[i] = 0;
    warpgroup_arrive();
    for (int i = 0; i < Depth; i += 16)
      wgmma_n16(d, descriptor(As + i * BM, 128, BM * 16, 0), descriptor(Bs + i * 32, 128, 32 * 16, 0));
    warpgroup_commit();
    warpgroup_wait<0>();
    const float scale = scales[t];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      total[i] += d[i] * scale;
    __syncthreads();
  }
  store_sums(out, total);
}
template __global__ void plain_scaled<16>(float *, const bf16 *, const bf16 *, const float *, int);
template __global__ void plain_scaled<32>(float *, const bf16 *, const bf16 *, const float *, int);

// Floats that become bf16 on their way, through registers; helpers for the parts.
template <int Rows> __device__ void fill(bf16 *tile, const float *from, int pitch) {
#pragma unroll
  for (int v = threadIdx.x; v < Rows * BK; v += 128) {
    int r = v / BK, c = v % BK;
    tile[r * BK + (c ^ r % 8 * 8)] = __float2bfloat16(from[r * pitch + c]);
  }
}
__device__ void multiply(float (&d)[8], const bf16 *a, const bf16 *b) {
  warpgroup_arrive();
  for (int i = 0; i < BK; i += 16)
    wgmma_n16(d, descriptor(a + i), descriptor(b + i));
  warpgroup_commit();
  warpgroup_wait<0>();
}
__global__ void plain_converted(float *__restrict__ out, const float *__restrict__ A,
                                const float *__restrict__ B, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  float d[8] = {};
  for (int k = 0; k < K; k += BK) {
    fill<BM>(As, A + k, K);
    fill<BN>(Bs, B + k, K);
    fence_async();
    __syncthreads();
    multiply(d, As, Bs);
    __syncthreads();
  }
  store_sums(out, d);
}

// Tiles and sums are members; the author's own functions are, too.
struct Tiles {
  bf16 a[BM * BK], b[BN * BK];
};
struct Product {
  float d[8] = {};
  __device__ void add(const Tiles &t) {
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(t.a + i), descriptor(t.b + i));
    warpgroup_commit();
    warpgroup_wait<0>();
  }
};
__global__ void plain_members(float *__restrict__ out, const bf16 *__restrict__ A,
                              const bf16 *__restrict__ B, int K) {
  __shared__ alignas(1024) Tiles tiles;
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  Product sum;
  for (int k = 0; k < K; k += BK) {
    for (int i = 0; i < BM; i += 16)
      *(uint4 *)&tiles.a[(r + i) * BK + (c ^ r % 8) * 8] =
          *(const uint4 *)&A[(r + i) * K + k + c * 8];
    *(uint4 *)&tiles.b[r * BK + (c ^ r % 8) * 8] = *(const uint4 *)&B[r * K + k + c * 8];
    fence_async();
    __syncthreads();
    sum.add(tiles);
    __syncthreads();
  }
  store_sums(out, sum.d);
}

// A second array that wgmma reads is written by the loop: no group stays in
// flight, as the next turn writes it.
__global__ void plain_second(float *__restrict__ out, const bf16 *__restrict__ A,
                             const bf16 *__restrict__ B, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Twice[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  float d[8] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = 0; i < BM; i += 16)
      *(uint4 *)&As[(r + i) * BK + (c ^ r % 8) * 8] = *(const uint4 *)&A[(r + i) * K + k + c * 8];
    *(uint4 *)&Bs[r * BK + (c ^ r % 8) * 8] = *(const uint4 *)&B[r * K + k + c * 8];
    __syncthreads();
    for (int i = threadIdx.x; i < BM * BK; i += 128)
      Twice[i] = As[i] + As[i];
    fence_async();
    __syncthreads();
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(Twice + i), descriptor(Bs + i));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

// Blocks that take several products, one after the other; descriptors in variables.
__global__ void plain_persistent(float *__restrict__ out, const bf16 *__restrict__ A,
                                 const bf16 *__restrict__ B, int K, int products) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  for (int p = blockIdx.x; p < products; p += gridDim.x) {
    float d[8] = {};
    for (int k = 0; k < K; k += BK) {
#pragma unroll
      for (int i = 0; i < BM; i += 16)
        *(uint4 *)&As[(r + i) * BK + (c ^ r % 8) * 8] = *(const uint4 *)&A[(r + i) * K + k + c * 8];
      *(uint4 *)&Bs[r * BK + (c ^ r % 8) * 8] = *(const uint4 *)&B[(p * BN + r) * K + k + c * 8];
      fence_async();
      __syncthreads();
      const uint64_t a = descriptor(As), b = descriptor(Bs);
      warpgroup_arrive();
      for (int i = 0; i < BK / 16; ++i)
        wgmma_n16(d, a + i * 2, b + i * 2);
      warpgroup_commit();
      warpgroup_wait<0>();
      __syncthreads();
    }
    store_sums(out + p * BM * BN, d);
  }
}

// B with contiguous columns; a lambda multiplies; the fence stands behind the barrier.
__global__ void plain_transposed(float *__restrict__ out, const bf16 *__restrict__ A,
                                 const bf16 *__restrict__ B, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BK * 64];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  float d[8] = {};
  auto multiply = [&](const bf16 *a, const bf16 *b) {
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 "
                   "{%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, 0, 1;"
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]),
                     "+f"(d[6]), "+f"(d[7])
                   : "l"(descriptor(a + i)), "l"(descriptor(b + i * 64)));
    warpgroup_commit();
  };
  for (int k = 0; k < K; k += BK) {
    for (int i = 0; i < BM; i += 16) {
      *(uint4 *)&As[(r + i) * BK + (c ^ r % 8) * 8] = *(const uint4 *)&A[(r + i) * K + k + c * 8];
      *(uint4 *)&Bs[(r + i) * 64 + (c ^ r % 8) * 8] = *(const uint4 *)&B[(k + r + i) * 64 + c * 8];
    }
    __syncthreads();
    fence_async();
    multiply(As, Bs);
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

// A do loop; a tile beside that threads read; the last tile is read behind the loop.
__global__ void plain_last(float *__restrict__ out, const bf16 *__restrict__ A,
                           const bf16 *__restrict__ B, const float *__restrict__ bias, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  __shared__ float beside[128];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  float d[8] = {}, sum = 0;
  int k = 0;
  do {
    for (int i = 0; i < BM; i += 16)
      *(uint4 *)&As[(r + i) * BK + (c ^ r % 8) * 8] = *(const uint4 *)&A[(r + i) * K + k + c * 8];
    *(uint4 *)&Bs[r * BK + (c ^ r % 8) * 8] = *(const uint4 *)&B[r * K + k + c * 8];
    beside[threadIdx.x] = bias[k * 2 + threadIdx.x];
    fence_async();
    __syncthreads();
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(As + i), descriptor(Bs + i));
    warpgroup_commit();
    sum += beside[127 - threadIdx.x];
    warpgroup_wait<0>();
    __syncthreads();
    k += BK;
  } while (k < K);
  d[0] += sum + __bfloat162float(As[threadIdx.x]) + beside[threadIdx.x ^ 1];
  store_sums(out, d);
}

// The steps of a tile are loops of rows and of groups of products, each with its wait.
__global__ void plain_steps(float *__restrict__ out, const bf16 *__restrict__ A,
                            const bf16 *__restrict__ B, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8;
  float d[8] = {};
  for (int k = 0; k < K; k += BK) {
    for (int i = 0; i < BM; i += 16)
      *(uint4 *)&As[(r + i) * BK + (c ^ r % 8) * 8] = *(const uint4 *)&A[(r + i) * K + k + c * 8];
    *(uint4 *)&Bs[r * BK + (c ^ r % 8) * 8] = *(const uint4 *)&B[r * K + k + c * 8];
    fence_async();
    __syncthreads();
    for (int i = 0; i < BK; i += 32) {
      warpgroup_arrive();
      wgmma_n16(d, descriptor(As + i), descriptor(Bs + i));
      warpgroup_commit();
      warpgroup_arrive();
      wgmma_n16(d, descriptor(As + i + 16), descriptor(Bs + i + 16));
      warpgroup_commit();
      warpgroup_wait<0>();
    }
    __syncthreads();
  }
  store_sums(out, d);
}

void run_dynamic(float *out, const bf16 *a, const bf16 *b, int rows, int k) {
  plain_dynamic<<<1, 256, (2 * BM + BN) * BK * sizeof(bf16)>>>(out, a, b, rows, k);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
// Of kernels that differ in what a tile is made of; sums are slow to compute here.
static harness::Numbers few() {
  harness::Numbers V;
  for (int T : {0, 2, int(harness::backend::stages()) + 1})
    V.add(T);
  return V;
}
CASE(plain_static) {
  for (int t : harness::trips()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_static, c, a, b, t * BK);
  }
}
CASE(plain_dynamic) {
  for (int t : harness::trips()) {
    auto a = in<bf16>("A", 100 * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", 2 * BM * BN);
    run_dynamic(c, a, b, 100, t * BK);
  }
}
CASE(plain_narrow) {
  for (int t : harness::trips()) {
    auto a = in<__half>("A", BM * (t + 1) * 32), b = in<__half>("B", BN * 2 * (t + 1) * 32);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_narrow, c, a, b, t);
  }
}
CASE(plain_registers) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_registers, c, a, b, t * BK);
  }
}
CASE(plain_scaled) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 1) * 32), b = in<bf16>("B", 32 * (t + 1) * 32);
    auto s = in<float>("s", t + 1);
    auto c = out<float>("C", BM * BN), e = out<float>("E", BM * BN);
    launch({1, 128}, plain_scaled<16>, c, a, b, s, t);
    launch({1, 128}, plain_scaled<32>, e, a, b, s, t);
  }
}
CASE(plain_converted) {
  for (int t : few()) {
    auto a = in<float>("A", BM * (t + 1) * BK), b = in<float>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_converted, c, a, b, t * BK);
  }
}
CASE(plain_members) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_members, c, a, b, t * BK);
  }
}
CASE(plain_persistent) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", 2 * BN * (t + 1) * BK);
    auto c = out<float>("C", 2 * BM * BN);
    launch({1, 128}, plain_persistent, c, a, b, t * BK, 2);
  }
}
CASE(plain_transposed) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", 64 * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_transposed, c, a, b, t * BK);
  }
}
CASE(plain_last) {
  for (int t : few()) {
    if (t == 0)
      continue;
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto s = in<float>("s", t * 128);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_last, c, a, b, s, t * BK);
  }
}
CASE(plain_steps) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_steps, c, a, b, t * BK);
  }
}
CASE(plain_second) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 1) * BK), b = in<bf16>("B", BN * (t + 1) * BK);
    auto c = out<float>("C", BM * BN);
    launch({1, 128}, plain_second, c, a, b, t * BK);
  }
}
#endif
