// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first Hopper GEMM with plain loads in the place of TMA: C = A * B^T, bf16
// with float sums, tiles of 128x256x64, one stage; each thread stores 16 bytes at
// a time to where the 128-byte swizzle wants them. Made a ring by
//   kpipe rewrite plain.cu --arch=sm_90a -o plain_ring.cu
// time.cu measures both.
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#define PLAIN_LOADS // for time.cu

using bf16 = __nv_bfloat16;
constexpr int BM = 128, BN = 256, BK = 64, Threads = 256;

__device__ __forceinline__ uint32_t smem_u32(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
/// What this thread stored comes before what tensor cores read.
__device__ __forceinline__ void fence_proxy_async() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ __forceinline__ void warpgroup_arrive() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void warpgroup_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int N> __device__ __forceinline__ void warpgroup_wait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
}
/// Rows of 128 bytes with the 128-byte swizzle, 8 rows a core matrix.
__device__ __forceinline__ uint64_t descriptor(const void *p) {
  return uint64_t((smem_u32(p) & 0x3ffff) >> 4) | uint64_t(1) << 16 |
         uint64_t(1024 >> 4) << 32 | uint64_t(1) << 62;
}
#define SUMS4(I) "+f"(d[I]), "+f"(d[I + 1]), "+f"(d[I + 2]), "+f"(d[I + 3])
#define SUMS16(I) SUMS4(I), SUMS4(I + 4), SUMS4(I + 8), SUMS4(I + 12)
#define SUMS64(I) SUMS16(I), SUMS16(I + 16), SUMS16(I + 32), SUMS16(I + 48)
__device__ __forceinline__ void wgmma_m64n256k16(float (&d)[128], uint64_t a,
                                                 uint64_t b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
      "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
      "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
      "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,"
      "%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63,"
      "%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79,"
      "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,"
      "%96,%97,%98,%99,%100,%101,%102,%103,%104,%105,%106,%107,%108,%109,%110,%111,"
      "%112,%113,%114,%115,%116,%117,%118,%119,%120,%121,%122,%123,%124,%125,%126,%127"
      "}, %128, %129, 1, 1, 1, 0, 0;"
      : SUMS64(0), SUMS64(64)
      : "l"(a), "l"(b));
}

__global__ void __launch_bounds__(Threads, 1)
    gemm(bf16 *__restrict__ C, const bf16 *__restrict__ A,
         const bf16 *__restrict__ B, int N, int K) {
  extern __shared__ __align__(1024) unsigned char smem[];
  bf16 *As = reinterpret_cast<bf16 *>(smem);
  bf16 *Bs = reinterpret_cast<bf16 *>(smem + BM * BK * sizeof(bf16));
  const int tid = threadIdx.x, group = tid / 128;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;

  float acc[BN / 2];
#pragma unroll
  for (int i = 0; i < BN / 2; ++i)
    acc[i] = 0.0f;

  for (int k = 0; k < K; k += BK) {
#pragma unroll
    for (int i = 0; i < BM * BK / 8 / Threads; ++i) {
      const int r = (tid + i * Threads) / 8, c = (tid + i * Threads) % 8;
      *reinterpret_cast<uint4 *>(&As[r * BK + (c ^ r % 8) * 8]) =
          *reinterpret_cast<const uint4 *>(
              &A[size_t(row + r) * K + k + c * 8]);
    }
#pragma unroll
    for (int i = 0; i < BN * BK / 8 / Threads; ++i) {
      const int r = (tid + i * Threads) / 8, c = (tid + i * Threads) % 8;
      *reinterpret_cast<uint4 *>(&Bs[r * BK + (c ^ r % 8) * 8]) =
          *reinterpret_cast<const uint4 *>(
              &B[size_t(col + r) * K + k + c * 8]);
    }
    fence_proxy_async();
    __syncthreads();
    warpgroup_arrive();
#pragma unroll
    for (int i = 0; i < BK; i += 16)
      wgmma_m64n256k16(acc, descriptor(As + group * 64 * BK + i),
                       descriptor(Bs + i));
    warpgroup_commit();
    warpgroup_wait<0>();
    __syncthreads();
  }

  const int warp = tid % 128 / 32, lane = tid % 32;
  bf16 *to = C + size_t(row + group * 64 + warp * 16 + lane / 4) * N + col +
             lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < BN / 8; ++j) {
    *reinterpret_cast<__nv_bfloat162 *>(to + j * 8) =
        __floats2bfloat162_rn(acc[j * 4], acc[j * 4 + 1]);
    *reinterpret_cast<__nv_bfloat162 *>(to + 8 * N + j * 8) =
        __floats2bfloat162_rn(acc[j * 4 + 2], acc[j * 4 + 3]);
  }
}

void launch_gemm(bf16 *C, int M, int N, int K, const bf16 *A, const bf16 *B) {
  constexpr int Bytes = (BM + BN) * BK * sizeof(bf16);
  cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       Bytes);
  gemm<<<dim3(N / BN, M / BM), Threads, Bytes>>>(C, A, B, N, K);
}
