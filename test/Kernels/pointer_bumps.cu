// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers and counters bumped wherever authors bump them: before the load
// barrier, after the compute, after the last barrier.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s

constexpr int TILE = 16;

__global__ void __launch_bounds__(TILE *TILE)
bump_before_barrier(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  A += (blockIdx.y * TILE + ty) * K + tx;
  B += ty * N + blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < K / TILE; ++t) {
    As[ty][tx] = *A;
    Bs[ty][tx] = *B;
    A += TILE;
    B += TILE * N;
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[(blockIdx.y * TILE + ty) * N + blockIdx.x * TILE + tx] = sum;
}

__global__ void __launch_bounds__(TILE *TILE)
bump_after_barrier(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  const float *a = A + (blockIdx.y * TILE + ty) * K + tx;
  const float *b = B + ty * N + blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < K / TILE; ++t) {
    As[ty][tx] = *a;
    Bs[ty][tx] = *b;
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
    a += TILE;
    b = b + TILE * N;
  }
  C[(blockIdx.y * TILE + ty) * N + blockIdx.x * TILE + tx] = sum;
}

__global__ void __launch_bounds__(TILE *TILE)
bump_after_compute(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int a = (blockIdx.y * TILE + ty) * K + tx;
  int b = ty * N + blockIdx.x * TILE + tx;
  float sum = 0.0f;
  for (int t = 0; t < K / TILE; ++t) {
    As[ty][tx] = A[a];
    Bs[ty][tx] = B[b];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += As[ty][k] * Bs[k][tx];
    a += TILE;
    b += TILE * N;
    __syncthreads();
  }
  C[(blockIdx.y * TILE + ty) * N + blockIdx.x * TILE + tx] = sum;
}

// One counter that the load and the compute both read.
__global__ void __launch_bounds__(TILE *TILE)
bump_shared_counter(const float *A, const float *B, const float *w, float *C,
                    int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
  int tile = 0;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    As[ty][tx] = A[row * K + tile * TILE + tx];
    Bs[ty][tx] = B[(tile * TILE + ty) * N + col];
    __syncthreads();
    float scale = w[tile];
    for (int k = 0; k < TILE; ++k)
      sum += scale * As[ty][k] * Bs[k][tx];
    __syncthreads();
    tile++;
  }
  C[row * N + col] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, const float *, float *, int,
                               int)) {
  for (int k : multiples(TILE)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", k * 16);
    auto c = out<float>("C", 16 * 16);
    launch({dim3(1, 1), dim3(TILE, TILE)}, kernel, a, b, c, 16, k);
  }
}
CASE(bump_before_barrier) { run(bump_before_barrier); }
CASE(bump_after_barrier) { run(bump_after_barrier); }
CASE(bump_after_compute) { run(bump_after_compute); }
CASE(bump_shared_counter) {
  for (int k : multiples(TILE)) {
    auto a = in<float>("A", 16 * k), b = in<float>("B", k * 16);
    auto w = in<float>("w", k / TILE), c = out<float>("C", 16 * 16);
    launch({dim3(1, 1), dim3(TILE, TILE)}, bump_shared_counter, a, b, w, c, 16,
           k);
  }
}
#endif
