// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block tile with 4x4 results a thread: 1-D shared arrays, sizes from template
// parameters, nested copy loops, pointers bumped between load and compute.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN))
sgemm_blocktile(int M, int N, int K, const float *A, const float *B, float *C) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  const uint cRow = blockIdx.y, cCol = blockIdx.x;
  const uint numThreads = (BM * BN) / (TM * TN);
  const int threadCol = threadIdx.x % (BN / TN);
  const int threadRow = threadIdx.x / (BN / TN);

  // Each pointer starts at its block's tile.
  A += cRow * BM * K;
  B += cCol * BN;
  C += cRow * BM * N + cCol * BN;

  const uint innerRowA = threadIdx.x / BK, innerColA = threadIdx.x % BK;
  const uint strideA = numThreads / BK;
  const uint innerRowB = threadIdx.x / BN, innerColB = threadIdx.x % BN;
  const uint strideB = numThreads / BN;

  float results[TM * TN] = {0.0};
  float regM[TM] = {0.0};
  float regN[TN] = {0.0};

  for (uint bkIdx = 0; bkIdx < K; bkIdx += BK) {
    for (uint offset = 0; offset < BM; offset += strideA)
      As[(innerRowA + offset) * BK + innerColA] =
          A[(innerRowA + offset) * K + innerColA];
    for (uint offset = 0; offset < BK; offset += strideB)
      Bs[(innerRowB + offset) * BN + innerColB] =
          B[(innerRowB + offset) * N + innerColB];
    __syncthreads();

    A += BK;
    B += BK * N;

    for (uint dot = 0; dot < BK; ++dot) {
      for (uint i = 0; i < TM; ++i)
        regM[i] = As[(threadRow * TM + i) * BK + dot];
      for (uint i = 0; i < TN; ++i)
        regN[i] = Bs[dot * BN + threadCol * TN + i];
      for (uint m = 0; m < TM; ++m)
        for (uint n = 0; n < TN; ++n)
          results[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }

  for (uint m = 0; m < TM; ++m)
    for (uint n = 0; n < TN; ++n)
      C[(threadRow * TM + m) * N + threadCol * TN + n] = results[m * TN + n];
}

template __global__ void
sgemm_blocktile<32, 32, 8, 4, 4>(int, int, int, const float *, const float *,
                                 float *);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_blocktile) {
  for (int k : multiples(8)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 64);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(2, 1), dim3(64)}, sgemm_blocktile<32, 32, 8, 4, 4>, 32, 64, k,
           a, b, c);
  }
}
#endif
