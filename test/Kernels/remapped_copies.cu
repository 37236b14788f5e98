// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of single elements that neighbours make 16 bytes at once where that is
// possible, and as they are written where it is not: both run, by the length of
// rows and by where matrices begin.
// REQUIRES: executor
// RUN: %kpipe rewrite %s --arch=sm_86 --copies=remap --allow-occupancy-drop -o %t.cu 2> %t.err
// RUN: FileCheck --check-prefix=SAID %s --input-file=%t.err
// RUN: %code %t.cu | FileCheck %s
// RUN: %execute %s %t.cu
// RUN: %kpipe rewrite %s --arch=sm_86 --copies=remap --variant=ldg -o %t.ldg.cu
// RUN: %execute %s %t.ldg.cu

// Threads in one row, strides of the block, no guards.
constexpr int BM = 32, BN = 32, BK = 16, T = 64;
__global__ void __launch_bounds__(T)
    strided(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x, row = blockIdx.y * BM, col = blockIdx.x * BN;
  float acc[16] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += T)
      As[i / BK][i % BK] = A[(row + i / BK) * K + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += T)
      Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + col + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 16; ++i)
        acc[i] += As[i * 2 + tid / 32][k] * Bs[k][tid % 32];
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i)
    C[(row + i * 2 + tid / 32) * N + col + tid % 32] = acc[i];
}
// SAID: remark: pipelined
// SAID: note: the copies of As, Bs are made in {{.*}}
// CHECK-LABEL: {{^.* }}strided(
// CHECK: const bool [[FLAG:[a]ligned]] = (size_t)A % 16 == 0 && (size_t)B % 16 == 0 &&
// CHECK-NEXT: K % 4 == 0 && N % 4 == 0 && blockDim.x == 64 &&
// CHECK-NEXT: blockDim.y == 1 && blockDim.z == 1;
// CHECK: if ([[FLAG]]) {
// CHECK: (float4 *)&As[{{p[i]ece_row}}][{{p[i]ece_col}}],
// CHECK-NEXT: (const float4 *)&A[(row + {{p[i]ece_row}}) * K + k0 + {{p[i]ece_col}}]);
// CHECK: } else {
// CHECK: copy_async(&As[i / BK][i % BK],

// Threads in two dimensions, guards on both sides, a tile that ends early.
__global__ void guarded(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int M, int N, int K) {
  __shared__ float As[16][16], Bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0;
  for (int t = 0; t < (K + 15) / 16; ++t) {
    const int k = t * 16;
    As[ty][tx] = row < M && k + tx < K ? A[row * K + k + tx] : 0.0f;
    if (k + ty < K && col < N)
      Bs[ty][tx] = B[(k + ty) * N + col];
    else
      Bs[ty][tx] = 0;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      acc += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
// SAID: note: the copies of As, Bs are made
// CHECK-LABEL: {{^.* }}guarded(
// CHECK: for (int {{p[i]ece}} = threadIdx.y * 16 + threadIdx.x; {{p[i]ece}} < 64;
// CHECK: ((int)(blockIdx.y * 16 + {{p[i]ece_row}})) * K

// Unrolled statements, a pointer that the loop moves, 8 bytes, unsigned indices.
__global__ void __launch_bounds__(64)
    moved(const double *A, const float2 *B, double *C, unsigned n, unsigned lda) {
  __shared__ double As[8][16];
  __shared__ float2 Bs[4][16];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  A += blockIdx.x * 8 * lda;
  double sum = 0;
  for (unsigned k = 0; k < n; k += 16) {
    As[y][x] = A[y * lda + x];
    As[y + 4][x] = A[(y + 4) * lda + x];
    Bs[y][x] = B[y * lda + k + x];
    A += 16;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += As[y][i] * As[y + 4][x] + Bs[y][i].x * Bs[i % 4][x].y;
    __syncthreads();
  }
  C[blockIdx.x * 64 + y * 16 + x] = sum;
}
// SAID: note: the copies of As, Bs are made

// A thread reads what it stored itself, before the barrier.
__global__ void __launch_bounds__(64)
    ownElement(const float *A, float *C, int K) {
  __shared__ float As[64];
  float sum = 0;
  for (int k = 0; k < K; k += 64) {
    As[threadIdx.x] = A[k + threadIdx.x];
    sum += As[threadIdx.x];
    __syncthreads();
    sum += 2 * As[63 - threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.x] = sum;
}

// Two tiles in one unrolled loop, rows that lie one behind the other, indices of
// size_t.
constexpr int R = 8, D = 16;
__global__ void __launch_bounds__(64)
    together(const float *A, const float *B, float *C, int n) {
  __shared__ float As[R][D];
  __shared__ float Bs[R][D];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const size_t first = (size_t)k * D;
#pragma unroll
    for (int r = tid / D; r < R; r += 64 / D) {
      As[r][tid % D] = A[first + r * D + tid % D];
      Bs[r][tid % D] = B[first + r * D + tid % D];
    }
    __syncthreads();
    for (int i = 0; i < R; ++i)
      sum += As[i][tid % D] * Bs[(i + tid / D) % R][(tid + 1) % D];
    __syncthreads();
  }
  C[tid] = sum;
}
// SAID: note: the copies of As, Bs are made
// CHECK-LABEL: {{^.* }}together(
// CHECK: const size_t first = (size_t)k * D;
// CHECK-NEXT: if ({{a[l]igned}}) {
// CHECK: (const float4 *)&A[((size_t)k * D) + {{p[i]ece_row}} * D +
// CHECK: } else {
// CHECK-NEXT: #pragma unroll
// CHECK-NEXT: for (int r = tid / D; r < R; r += 64 / D) {

// As lectures write it: two offsets that step together.
template <int Block>
__global__ void lecture(const float *A, const float *B, float *C, int wA, int wB) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int aBegin = wA * Block * blockIdx.y;
  const int aEnd = aBegin + wA - 1;
  float sum = 0;
  for (int a = aBegin, b = Block * blockIdx.x; a <= aEnd; a += Block, b += Block * wB) {
    __shared__ float As[Block][Block];
    __shared__ float Bs[Block][Block];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Block; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[wB * Block * blockIdx.y + Block * blockIdx.x + wB * ty + tx] = sum;
}
// SAID: note: the copies of As, Bs are made
// CHECK-LABEL: {{^.* }}lecture(
// CHECK: const bool {{a[l]igned}} = (size_t)A % 16 == 0 && (size_t)B % 16 == 0 &&
// CHECK-NEXT: wA % 4 == 0 && wB % 4 == 0
// CHECK: (const float4 *)&A[a + wA * {{p[i]ece_row}} + {{p[i]ece_col}}]);

#ifndef KPIPE_HARNESS
void launches(const float *A, const float *B, float *C, const double *D,
              const float2 *E, double *F, int n) {
  guarded<<<n, dim3(16, 16)>>>(A, B, C, n, n, n);
  moved<<<n, dim3(16, 4)>>>(D, E, F, n, n);
  lecture<16><<<dim3(n, n), dim3(16, 16)>>>(A, B, C, n, n);
}
#endif

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(strided) {
  for (int k : multiples(BK))
    for (int off : {0, 1}) {
      auto a = in<float>("A", 64 * k + 4), b = in<float>("B", k * 64 + 4);
      auto c = out<float>("C", 64 * 64);
      launch({dim3(2, 2), dim3(T)}, strided, static_cast<float *>(a) + off,
             static_cast<float *>(b) + off, c, 64, k);
    }
}
CASE(guarded) {
  for (int k : sizes(16))
    for (int n : {24, 21}) {
      auto a = in<float>("A", 20 * k), b = in<float>("B", k * n);
      auto c = out<float>("C", 20 * n);
      launch({dim3(2, 2), dim3(16, 16)}, guarded, a, b, c, 20, n, k);
    }
}
CASE(moved) {
  for (int k : multiples(16))
    for (int off : {0, 1}) {
      auto a = in<double>("A", 16 * (k + 3));
      auto b = in<float>("B", 8 * (k + 3));
      auto c = out<double>("C", 128);
      launch({dim3(2), dim3(16, 4)}, moved, a,
             reinterpret_cast<const float2 *>(static_cast<float *>(b)), c,
             unsigned(k), unsigned(k + off));
    }
}
CASE(ownElement) {
  for (int k : multiples(64)) {
    auto a = in<float>("A", k);
    auto c = out<float>("C", 64);
    launch({dim3(1), dim3(64)}, ownElement, a, c, k);
  }
}
CASE(together) {
  for (int n : multiples(R))
    for (int off : {0, 1}) {
      auto a = in<float>("A", (n + 1) * D), b = in<float>("B", (n + 1) * D);
      auto c = out<float>("C", 64);
      launch({dim3(1), dim3(64)}, together, static_cast<float *>(a) + off,
             static_cast<float *>(b) + off, c, n);
    }
}
CASE(lecture) {
  for (int w : multiples(16))
    for (int off : {0, 1}) {
      if (!w)
        continue;
      auto a = in<float>("A", 32 * w + 4), b = in<float>("B", w * 32 + 4);
      auto c = out<float>("C", 32 * 32);
      launch({dim3(2, 2), dim3(16, 16)}, lecture<16>, static_cast<float *>(a) + off,
             static_cast<float *>(b) + off, c, w, 32);
    }
}
#endif
