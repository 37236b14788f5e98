// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that load a tile of any size for any number of threads: extents are
// deduced from the tile, and the call says by how much the loop steps.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s
//
// RUN: %kpipe rewrite %s --arch=sm_86 -n 2>&1 | FileCheck %s
// CHECK: remark: pipelined K-loop: 2 stages of As, Bs, cp.async
// CHECK-COUNT-2: warning: not pipelined: {{.*}}one thread may copy to the same place in 'xs' twice

template <typename T, int R, int C>
__device__ void load_tile(T (&dst)[R][C], const T *src, int ld, int tid,
                          int threads) {
  for (int i = tid; i < R * C; i += threads)
    dst[i / C][i % C] = src[(i / C) * ld + i % C];
}

template <typename T, int M, int K, int N>
__device__ void multiply(T (&acc)[2][2], T (&a)[M][K], T (&b)[K][N], int ty,
                         int tx) {
#pragma unroll
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        acc[i][j] += a[ty * 2 + i][k] * b[k][tx * 2 + j];
}

template <typename T, int BM, int BN, int BK, int Threads = BM * BN / 4>
__global__ void __launch_bounds__(Threads)
gemm(const T *__restrict__ A, const T *__restrict__ B, T *__restrict__ C, int N,
     int K) {
  __shared__ T As[BM][BK];
  __shared__ T Bs[BK][BN];
  T acc[2][2] = {};
  const int tid = threadIdx.x, tx = tid % (BN / 2), ty = tid / (BN / 2);
  for (int k0 = 0; k0 < K; k0 += BK) {
    load_tile(As, A + blockIdx.y * BM * K + k0, K, tid, Threads);
    load_tile(Bs, B + k0 * N + blockIdx.x * BN, N, tid, Threads);
    __syncthreads();
    multiply(acc, As, Bs, ty, tx);
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      C[(blockIdx.y * BM + ty * 2 + i) * N + blockIdx.x * BN + tx * 2 + j] =
          acc[i][j];
}
template __global__ void gemm<float, 16, 16, 8>(const float *, const float *,
                                                float *, int, int);

// Two turns of one thread store the same element, which asynchronous copies must
// not: by as much as the call says, or by a step that changes.
__device__ void twice(float *dst, const float *src, int tid, int threads) {
  for (int i = tid; i < 128; i += threads)
    dst[i % 64] = src[i];
}
__device__ void closer(float *dst, const float *src, int tid, int threads) {
  for (int i = tid; i < 128; i += threads, threads = 32)
    dst[i % 96] = src[i];
}
__global__ void __launch_bounds__(64)
last_wins(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    twice(xs, x + k, threadIdx.x, 64);
    __syncthreads();
    sum += xs[63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(64)
step_changes(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[96];
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    closer(xs, x + k, threadIdx.x, 64);
    __syncthreads();
    sum += xs[63 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(gemm) {
  for (int k : multiples(8)) {
    auto a = in<float>("A", 32 * k), b = in<float>("B", k * 32);
    auto c = out<float>("C", 32 * 32);
    launch({dim3(2, 2), dim3(64)}, gemm<float, 16, 16, 8>, a, b, c, 32, k);
  }
}
#endif
