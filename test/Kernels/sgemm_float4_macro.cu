// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector casts behind macros, loads through register temporaries, and a macro
// that has the name of what it indexes.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

#define FLOAT4(value) (reinterpret_cast<float4 *>(&(value))[0])
#define OFFSET(row, col, ld) ((row) * (ld) + (col))
#define A(i, j) A[(i) * K + (j)]

constexpr int BM = 32, BN = 32, BK = 8, TM = 4, TN = 4;

__global__ void __launch_bounds__(64)
sgemm_float4_macro(float *__restrict__ A, float *__restrict__ b,
                   float *__restrict__ c, const int M, const int N,
                   const int K) {
  __shared__ float s_a[BM][BK];
  __shared__ float s_b[BK][BN];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  int load_a_m = tid >> 1, load_a_k = (tid & 1) << 2;
  int load_b_k = tid >> 3, load_b_n = (tid & 7) << 2;
  int load_a_gm = blockIdx.y * BM + load_a_m;
  int load_b_gn = blockIdx.x * BN + load_b_n;
  float r_c[TM][TN] = {0.0};

  for (int bk = 0; bk < (K + BK - 1) / BK; bk++) {
    int load_a_gk = bk * BK + load_a_k;
    float4 r_a = FLOAT4(A(load_a_gm, load_a_gk));
    int load_b_gk = bk * BK + load_b_k;
    int load_b_addr = OFFSET(load_b_gk, load_b_gn, N);
    float4 r_b = FLOAT4(b[load_b_addr]);
    FLOAT4(s_a[load_a_m][load_a_k]) = r_a;
    FLOAT4(s_b[load_b_k][load_b_n]) = r_b;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++) {
#pragma unroll
      for (int m = 0; m < TM; m++) {
#pragma unroll
        for (int n = 0; n < TN; n++) {
          r_c[m][n] += s_a[threadIdx.y * TM + m][k] * s_b[k][threadIdx.x * TN + n];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int m = 0; m < TM; m++)
    FLOAT4(c[OFFSET(blockIdx.y * BM + threadIdx.y * TM + m,
                    blockIdx.x * BN + threadIdx.x * TN, N)]) = FLOAT4(r_c[m][0]);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_float4_macro) {
  for (int k : multiples(BK)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 32 * 32);
    launch({dim3(1, 1), dim3(8, 8)}, sgemm_float4_macro, a, b, c, 32, 32, k);
  }
}
#endif
