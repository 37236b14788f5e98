// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half elements copied one by one: two bytes are too few for cp.async, so they go
// through registers.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

#include <cuda_fp16.h>

constexpr int T = 16;

__global__ void __launch_bounds__(T *T)
hgemm_scalar(const half *A, const half *B, half *C, int N, int K) {
  __shared__ half As[T][T];
  __shared__ half Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  half sum = __float2half(0.0f);
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum = __hfma(As[ty][k], Bs[k][tx], sum);
    __syncthreads();
  }
  C[row * N + col] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(hgemm_scalar) {
  for (int k : multiples(T)) {
    auto a = in<half>("A", 16 * k), b = in<half>("B", k * 16);
    auto c = out<half>("C", 16 * 16);
    launch({dim3(1, 1), dim3(T, T)}, hgemm_scalar, a, b, c, 16, k);
  }
}
#endif
