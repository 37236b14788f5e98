// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// float4 loads: A goes through registers into a transposed tile, B is copied 16
// bytes at a time. The mixed form: registers for one array, cp.async for the
// other.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s
//
// Each stage is aligned as the copies want it, whatever the linker does.
// RUN: %kpipe rewrite %s --arch=sm_86 2>/dev/null | FileCheck %s
// CHECK: {{^ +}}__shared__ __align__(16) float Bs_{{stages}}[2][BK * BN];

template <int BM, int BN, int BK, int TM, int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN))
sgemm_vectorized(int M, int N, int K, float *A, float *B, float *C) {
  __shared__ float As[BK * BM];
  __shared__ __align__(16) float Bs[BK * BN];
  const int threadCol = threadIdx.x % (BN / TN);
  const int threadRow = threadIdx.x / (BN / TN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const int innerRowA = threadIdx.x / (BK / 4);
  const int innerColA = threadIdx.x % (BK / 4);
  const int innerRowB = threadIdx.x / (BN / 4);
  const int innerColB = threadIdx.x % (BN / 4);
  float threadResults[TM * TN] = {0.0f};
  float regM[TM], regN[TN];

  for (int bk = 0; bk < K; bk += BK) {
    float4 tmp = reinterpret_cast<float4 *>(&A[innerRowA * K + innerColA * 4])[0];
    As[(innerColA * 4 + 0) * BM + innerRowA] = tmp.x;
    As[(innerColA * 4 + 1) * BM + innerRowA] = tmp.y;
    As[(innerColA * 4 + 2) * BM + innerRowA] = tmp.z;
    As[(innerColA * 4 + 3) * BM + innerRowA] = tmp.w;
    reinterpret_cast<float4 *>(&Bs[innerRowB * BN + innerColB * 4])[0] =
        reinterpret_cast<float4 *>(&B[innerRowB * N + innerColB * 4])[0];
    __syncthreads();
    A += BK;     // move BK columns to right
    B += BK * N; // move BK rows down
    for (int dot = 0; dot < BK; ++dot) {
      for (int i = 0; i < TM; ++i)
        regM[i] = As[dot * BM + threadRow * TM + i];
      for (int i = 0; i < TN; ++i)
        regN[i] = Bs[dot * BN + threadCol * TN + i];
      for (int m = 0; m < TM; ++m)
        for (int n = 0; n < TN; ++n)
          threadResults[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }

  for (int m = 0; m < TM; m += 1)
    for (int n = 0; n < TN; n += 4) {
      float4 tmp;
      tmp.x = threadResults[m * TN + n];
      tmp.y = threadResults[m * TN + n + 1];
      tmp.z = threadResults[m * TN + n + 2];
      tmp.w = threadResults[m * TN + n + 3];
      reinterpret_cast<float4 *>(
          &C[(threadRow * TM + m) * N + threadCol * TN + n])[0] = tmp;
    }
}

template __global__ void
sgemm_vectorized<32, 32, 8, 4, 4>(int, int, int, float *, float *, float *);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_vectorized) {
  for (int k : multiples(8)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 32 * 32);
    launch({dim3(1, 1), dim3(64)}, sgemm_vectorized<32, 32, 8, 4, 4>, 32, 32, k,
           a, b, c);
  }
}
#endif
