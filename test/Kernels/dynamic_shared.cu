// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// extern __shared__: one array, and two carved from one block.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s
//
// RUN: %kpipe analyze %s --arch=sm_86 --kernel=dynamic_one 2>&1 | FileCheck %s
// CHECK: single buffer, because 'smem' is dynamic shared memory, whose size the launch decides

__global__ void __launch_bounds__(64)
dynamic_one(const float *x, float *y, int n) {
  extern __shared__ float smem[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += smem[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <int T>
__global__ void __launch_bounds__(T *T)
dynamic_carved(const float *A, const float *B, float *C, int N, int K) {
  extern __shared__ float smem[];
  float *As = smem;
  float *Bs = smem + T * T;
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty * T + tx] = A[ty * K + k0 + tx];
    Bs[ty * T + tx] = B[(k0 + ty) * N + blockIdx.x * T + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty * T + k] * Bs[k * T + tx];
    __syncthreads();
  }
  C[ty * N + blockIdx.x * T + tx] = sum;
}

template __global__ void dynamic_carved<16>(const float *, const float *,
                                            float *, int, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(dynamic_one) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64, 64 * sizeof(float)}, dynamic_one, x, y, n);
  }
}
CASE(dynamic_carved) {
  for (int k : multiples(16)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 16 * 32);
    launch({dim3(2), dim3(16, 16), 2 * 256 * sizeof(float)}, dynamic_carved<16>,
           a, b, c, 32, k);
  }
}
#endif
