// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision with inline PTX: ldmatrix and mma.sync behind macros.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

#include <cstdint>
#include <cuda_fp16.h>

#define LDST128BITS(value) (reinterpret_cast<float4 *>(&(value))[0])
#define LDMATRIX_X2_T(R0, R1, addr)                                            \
  asm volatile(                                                                \
      "ldmatrix.sync.aligned.x2.trans.m8n8.shared.b16 {%0, %1}, [%2];\n"       \
      : "=r"(R0), "=r"(R1)                                                     \
      : "r"(addr))
#define LDMATRIX_X4(R0, R1, R2, R3, addr)                                      \
  asm volatile(                                                                \
      "ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n"     \
      : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3)                                 \
      : "r"(addr))
#define HMMA16816(RD0, RD1, RA0, RA1, RA2, RA3, RB0, RB1, RC0, RC1)            \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, "  \
               "{%2, %3, %4, %5}, {%6, %7}, {%8, %9};\n"                       \
               : "=r"(RD0), "=r"(RD1)                                          \
               : "r"(RA0), "r"(RA1), "r"(RA2), "r"(RA3), "r"(RB0), "r"(RB1),   \
                 "r"(RC0), "r"(RC1))

constexpr int M16 = 16, N8 = 8, K16 = 16;

// One warp, one 16x8 tile of the result.
__global__ void __launch_bounds__(32)
hgemm_mma_sync(half *A, half *B, half *C, int N, int K) {
  __shared__ __align__(16) half s_a[M16][K16];
  __shared__ __align__(16) half s_b[K16][N8];
  const int lane = threadIdx.x;
  const int a_m = lane / 2, a_k = lane % 2 * 8;
  uint32_t RC[2] = {0, 0};
#pragma unroll
  for (int k = 0; k < (K + K16 - 1) / K16; ++k) {
    LDST128BITS(s_a[a_m][a_k]) =
        LDST128BITS(A[(blockIdx.y * M16 + a_m) * K + k * K16 + a_k]);
    if (lane < K16) {
      LDST128BITS(s_b[lane][0]) =
          LDST128BITS(B[(k * K16 + lane) * N + blockIdx.x * N8]);
    }
    __syncthreads();
    uint32_t RA[4], RB[2];
    uint32_t a_ptr = __cvta_generic_to_shared(&s_a[lane % 16][(lane / 16) * 8]);
    LDMATRIX_X4(RA[0], RA[1], RA[2], RA[3], a_ptr);
    uint32_t b_ptr = __cvta_generic_to_shared(&s_b[lane % 16][0]);
    LDMATRIX_X2_T(RB[0], RB[1], b_ptr);
    HMMA16816(RC[0], RC[1], RA[0], RA[1], RA[2], RA[3], RB[0], RB[1], RC[0],
              RC[1]);
    __syncthreads();
  }
  half2 *c = reinterpret_cast<half2 *>(
      &C[(blockIdx.y * M16 + lane / 4) * N + blockIdx.x * N8 + lane % 4 * 2]);
  c[0] = reinterpret_cast<half2 &>(RC[0]);
  c[8 * N / 2] = reinterpret_cast<half2 &>(RC[1]);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(hgemm_mma_sync) {
  for (int k : multiples(K16)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", k * 16);
    auto c = out<half>("C", 32 * 16);
    launch({dim3(2, 2), dim3(32)}, hgemm_mma_sync, a, b, c, 16, k);
  }
}
#endif
