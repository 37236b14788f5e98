// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Partial tiles filled with zero by a ternary; the loop runs over k itself.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int BM = 16, BN = 16, BK = 16;

__global__ void __launch_bounds__(BM *BN)
sgemm_ternary(const float *__restrict__ A, const float *__restrict__ B,
              float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[BM][BK + 1];
  __shared__ float Bs[BK][BN];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * BM + ty;
  int col = blockIdx.x * BN + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    As[ty][tx] = (row < M && k0 + tx < K) ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = (k0 + ty < K && col < N) ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_ternary) {
  for (int k : sizes(BK)) {
    int m = 23, n = 19;
    auto a = in<float>("A", m * k), b = in<float>("B", k * n);
    auto c = out<float>("C", m * n);
    launch({dim3(2, 2), dim3(BN, BM)}, sgemm_ternary, a, b, c, m, n, k);
  }
}
#endif
