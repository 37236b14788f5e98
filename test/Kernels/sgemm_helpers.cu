// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Load and compute in device functions; the shared arrays are their parameters.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int BM = 16, BN = 16, BK = 16;

__device__ void load_tiles(const float *A, const float *B, float *As, float *Bs,
                           int K, int N, int row, int col, int k0) {
  int tx = threadIdx.x, ty = threadIdx.y;
  As[ty * BK + tx] = A[row * K + k0 + tx];
  Bs[ty * BN + tx] = B[(k0 + ty) * N + col];
}

template <int Depth>
__device__ __forceinline__ void multiply(const float (&As)[BM * BK],
                                         const float *Bs, float &acc) {
  for (int k = 0; k < Depth; ++k)
    acc += As[threadIdx.y * BK + k] * Bs[k * BN + threadIdx.x];
}

__global__ void __launch_bounds__(BM *BN)
sgemm_helpers(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  int row = blockIdx.y * BM + threadIdx.y;
  int col = blockIdx.x * BN + threadIdx.x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    load_tiles(A, B, As, Bs, K, N, row, col, k0);
    __syncthreads();
    multiply<BK>(As, Bs, acc);
    __syncthreads();
  }
  C[row * N + col] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(sgemm_helpers) {
  for (int k : multiples(BK)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 16 * 32);
    launch({dim3(2, 1), dim3(BN, BM)}, sgemm_helpers, a, b, c, 32, k);
  }
}
#endif
