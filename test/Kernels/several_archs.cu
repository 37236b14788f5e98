// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One text for architectures of several sizes: what is made for all of them
// together computes what the input does.
// REQUIRES: executor
// RUN: %variants --arch=sm_80,sm_86,sm_90 --at-least=2 %s
// RUN: %variants --arch='90a;89-real;120' --ways=few --at-least=2 %s
//
// With a form for each, every one of them runs its own.
// RUN: %kpipe rewrite %s --per-arch --arch='75;86;90' -o %t.cu
// RUN: %code %t.cu | grep -c '^#.*__CUDA_ARCH__ >= [78]' | grep -x 3
// RUN: %execute --arch=sm_75 %s %t.cu && %execute --arch=sm_90 %s %t.cu

constexpr int TILE = 16;

__global__ void __launch_bounds__(TILE *TILE)
four_bytes(const float *__restrict__ A, const float *__restrict__ B,
           float *__restrict__ C, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Other code for some of them, of which each takes its own.
__device__ float weight(float x) {
#if __CUDA_ARCH__ >= 900
  return x / 2;
#else
  return x * 0.5f;
#endif
}

// Wide copies.
constexpr int ROWS = 96;

__global__ void __launch_bounds__(32)
sixteen_bytes(const float *__restrict__ A, float *__restrict__ C, int rows) {
  __shared__ float4 As[ROWS];
  float sum = 0.0f;
  for (int r0 = 0; r0 < rows; r0 += ROWS) {
    for (int r = threadIdx.x; r < ROWS; r += 32)
      As[r] = reinterpret_cast<const float4 *>(A)[r0 + r];
    __syncthreads();
    for (int r = 0; r < ROWS; ++r) {
      float4 v = As[(r + threadIdx.x) % ROWS];
      sum += v.x - 2 * v.y + 3 * v.z - 4 * v.w;
    }
    sum = weight(sum);
    __syncthreads();
  }
  C[blockIdx.x * 32 + threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(four_bytes) {
  for (int k : multiples(TILE)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 32 * 32);
    launch({dim3(2, 2), dim3(TILE, TILE)}, four_bytes, a, b, c, 32, k);
  }
}
CASE(sixteen_bytes) {
  for (int rows : multiples(ROWS)) {
    auto a = in<float>("A", 4 * rows);
    auto c = out<float>("C", 64);
    launch({dim3(2), dim3(32)}, sixteen_bytes, a, c, rows);
  }
}
#endif
