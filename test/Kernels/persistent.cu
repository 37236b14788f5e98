// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A grid-stride loop over output tiles around the loop over k: the next tile's
// prologue must not overtake the last tile's compute.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int T = 8;

__global__ void __launch_bounds__(T *T)
persistent(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int tiles = (M / T) * (N / T);
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    int row = tile / (N / T) * T + ty, col = tile % (N / T) * T + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
      As[ty][tx] = A[row * K + k0 + tx];
      Bs[ty][tx] = B[(k0 + ty) * N + col];
      __syncthreads();
      for (int k = 0; k < T; ++k)
        sum += As[ty][k] * Bs[k][tx];
      __syncthreads();
    }
    C[row * N + col] = sum;
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(persistent) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", 24 * k), b = in<float>("B", k * 16);
    auto c = out<float>("C", 24 * 16);
    launch({dim3(2), dim3(T, T)}, persistent, a, b, c, 24, 16, k);
  }
}
#endif
