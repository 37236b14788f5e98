// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of wgmma that the loop reads or scales by another name than their own, and
// sums in flight from in front of the loop: the wait stays where it is.
// REQUIRES: executor
// RUN: %variants --arch=sm_90a --at-least=7 --legal=. \
// RUN:   --option=--allow-occupancy-drop %s

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;

__device__ inline uint32_t smem_u32(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void fence_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void warpgroup_arrive() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
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
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]),
                 "+f"(d[7])
               : "l"(a), "l"(b));
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

__global__ void __launch_bounds__(128)
    assign_ptr(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
               int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  float *p;
  p = d;
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
    p[3] *= 0.5f;
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

struct struct_ptr_v {
  float *p;
};
__global__ void __launch_bounds__(128)
    struct_ptr(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
               int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  struct_ptr_v v{d};
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
    v.p[3] *= 0.5f;
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

struct ctor_v {
  float *p;
  __device__ ctor_v(float *q) : p(q + 3) {}
};
__global__ void __launch_bounds__(128)
    ctor(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B, int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  ctor_v v(d);
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
    *v.p *= 0.5f;
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

__global__ void __launch_bounds__(128)
    uninit_cond(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
                int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  float *p = nullptr, z[8];
  if (K > 0)
    p = d;
  else
    p = z;
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
    p[3] *= 0.5f;
    warpgroup_arrive();
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }
  store_sums(out, d);
}

__global__ void __launch_bounds__(128)
    ptr_behind(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
               int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  __shared__ alignas(1024) bf16 Cs[BM * BK];
  __shared__ alignas(1024) bf16 Ds[BN * BK];
  for (int v = tid; v < BM * BK / 8; v += 128) {
    int r = v / 8, c = v % 8;
    *reinterpret_cast<uint4 *>(&Cs[r * BK + (c ^ r % 8) * 8]) =
        *reinterpret_cast<const uint4 *>(&A[r * K + c * 8]);
  }
  {
    int r = tid / 8, c = tid % 8;
    *reinterpret_cast<uint4 *>(&Ds[r * BK + (c ^ r % 8) * 8]) =
        *reinterpret_cast<const uint4 *>(&B[r * K + c * 8]);
  }
  fence_async();
  __syncthreads();
  float e[8] = {}, s = 0;
  float *pe = e;
  warpgroup_arrive();
  for (int i = 0; i < BK; i += 16)
    wgmma_n16(e, descriptor(&Cs[i]), descriptor(&Ds[i]));
  warpgroup_commit();

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
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    s += pe[3];
    __syncthreads();
  }
  warpgroup_wait<0>();
  out[BM * BN + tid] = s + e[1];
  store_sums(out, d);
}

__global__ void __launch_bounds__(128)
    ref_behind(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
               int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  __shared__ alignas(1024) bf16 Cs[BM * BK];
  __shared__ alignas(1024) bf16 Ds[BN * BK];
  for (int v = tid; v < BM * BK / 8; v += 128) {
    int r = v / 8, c = v % 8;
    *reinterpret_cast<uint4 *>(&Cs[r * BK + (c ^ r % 8) * 8]) =
        *reinterpret_cast<const uint4 *>(&A[r * K + c * 8]);
  }
  {
    int r = tid / 8, c = tid % 8;
    *reinterpret_cast<uint4 *>(&Ds[r * BK + (c ^ r % 8) * 8]) =
        *reinterpret_cast<const uint4 *>(&B[r * K + c * 8]);
  }
  fence_async();
  __syncthreads();
  float e[8] = {}, s = 0;
  float(&re)[8] = e;
  warpgroup_arrive();
  for (int i = 0; i < BK; i += 16)
    wgmma_n16(e, descriptor(&Cs[i]), descriptor(&Ds[i]));
  warpgroup_commit();

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
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    s += re[3];
    __syncthreads();
  }
  warpgroup_wait<0>();
  out[BM * BN + tid] = s + e[1];
  store_sums(out, d);
}

__global__ void __launch_bounds__(128)
    lam_behind(float *__restrict__ out, const bf16 *__restrict__ A, const bf16 *__restrict__ B,
               int K) {
  __shared__ alignas(1024) bf16 As[BM * BK];
  __shared__ alignas(1024) bf16 Bs[BN * BK];
  const int tid = threadIdx.x;
  float d[8] = {};
  __shared__ alignas(1024) bf16 Cs[BM * BK];
  __shared__ alignas(1024) bf16 Ds[BN * BK];
  for (int v = tid; v < BM * BK / 8; v += 128) {
    int r = v / 8, c = v % 8;
    *reinterpret_cast<uint4 *>(&Cs[r * BK + (c ^ r % 8) * 8]) =
        *reinterpret_cast<const uint4 *>(&A[r * K + c * 8]);
  }
  {
    int r = tid / 8, c = tid % 8;
    *reinterpret_cast<uint4 *>(&Ds[r * BK + (c ^ r % 8) * 8]) =
        *reinterpret_cast<const uint4 *>(&B[r * K + c * 8]);
  }
  fence_async();
  __syncthreads();
  float e[8] = {}, s = 0;
  auto f = [&] { return e[3]; };
  warpgroup_arrive();
  for (int i = 0; i < BK; i += 16)
    wgmma_n16(e, descriptor(&Cs[i]), descriptor(&Ds[i]));
  warpgroup_commit();

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
    for (int i = 0; i < BK; i += 16)
      wgmma_n16(d, descriptor(&As[i]), descriptor(&Bs[i]));
    warpgroup_commit();
    warpgroup_wait<0>();
    s += f();
    __syncthreads();
  }
  warpgroup_wait<0>();
  out[BM * BN + tid] = s + e[1];
  store_sums(out, d);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static harness::Numbers few() {
  harness::Numbers V;
  for (int T : {0, 2, int(harness::backend::stages()) + 1})
    V.add(T);
  return V;
}
template <class Kernel> static void sums(Kernel *kernel) {
  for (int t : few()) {
    auto a = in<bf16>("A", BM * (t + 2) * BK), b = in<bf16>("B", BN * (t + 2) * BK);
    auto c = out<float>("C", BM * BN + 512);
    launch({1, 128}, kernel, c, a, b, t * BK);
  }
}
CASE(assign_ptr) { sums(assign_ptr); }
CASE(struct_ptr) { sums(struct_ptr); }
CASE(ctor) { sums(ctor); }
CASE(uninit_cond) { sums(uninit_cond); }
CASE(ptr_behind) { sums(ptr_behind); }
CASE(ref_behind) { sums(ref_behind); }
CASE(lam_behind) { sums(lam_behind); }
#endif
