// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A first Hopper GEMM, as one writes it with the programming guide: C = A *
// B^T, bf16 with float sums, tiles of 128x256x64, one stage. Made a ring by
//   kpipe rewrite gemm.cu --arch=sm_90a -o ring.cu
// time.cu measures both.
#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

using bf16 = __nv_bfloat16;
constexpr int BM = 128, BN = 256, BK = 64, Threads = 256;

__device__ __forceinline__ uint32_t smem_u32(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void mbarrier_init(uint64_t *bar, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem_u32(bar)),
               "r"(count)
               : "memory");
}
__device__ __forceinline__ void fence_barrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ __forceinline__ void expect_bytes(uint64_t *bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   smem_u32(bar)),
               "r"(bytes)
               : "memory");
}
__device__ __forceinline__ void wait_parity(uint64_t *bar, uint32_t parity) {
  asm volatile("{\n\t.reg .pred done;\n"
               "again:\n\t"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
               "@!done bra again;\n\t}" ::"r"(smem_u32(bar)),
               "r"(parity)
               : "memory");
}
__device__ __forceinline__ void tma_load(void *dst, const CUtensorMap *map,
                                         int x, int y, uint64_t *bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
      ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          smem_u32(dst)),
      "l"(map), "r"(x), "r"(y), "r"(smem_u32(bar))
      : "memory");
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
    gemm(bf16 *__restrict__ C, int N, int K,
         const __grid_constant__ CUtensorMap map_a,
         const __grid_constant__ CUtensorMap map_b) {
  extern __shared__ __align__(1024) unsigned char smem[];
  bf16 *As = reinterpret_cast<bf16 *>(smem);
  bf16 *Bs = reinterpret_cast<bf16 *>(smem + BM * BK * sizeof(bf16));
  __shared__ alignas(8) uint64_t full;
  const int tid = threadIdx.x, group = tid / 128;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;

  if (tid == 0) {
    mbarrier_init(&full, 1);
    fence_barrier_init();
  }
  __syncthreads();

  float acc[BN / 2];
#pragma unroll
  for (int i = 0; i < BN / 2; ++i)
    acc[i] = 0.0f;

  uint32_t phase = 0;
  for (int k = 0; k < K; k += BK) {
    if (tid == 0) {
      expect_bytes(&full, (BM + BN) * BK * sizeof(bf16));
      tma_load(As, &map_a, k, row, &full);
      tma_load(Bs, &map_b, k, col, &full);
    }
    wait_parity(&full, phase);
    phase ^= 1;
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

void launch_gemm(bf16 *C, int M, int N, int K, const CUtensorMap &a,
                 const CUtensorMap &b) {
  constexpr int Bytes = (BM + BN) * BK * sizeof(bf16);
  cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       Bytes);
  gemm<<<dim3(N / BN, M / BM), Threads, Bytes>>>(C, N, K, a, b);
}
