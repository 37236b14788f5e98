// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that their author staged with two buffers, in the usual spellings. With
// --restage kpipe stages them instead, with any number of stages.
// REQUIRES: executor
// RUN: %variants --at-least=8 --legal=. --option=--restage \
// RUN:   --option=--allow-occupancy-drop %s
// RUN: %kpipe analyze --arch=sm_86 %s | FileCheck %s
// CHECK: 8 loops: 2 refused, 6 already pipelined

#include <cstdint>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;
constexpr int BM = 32, BN = 32, BK = 16, PAD = 8;

// The textbook's HGEMM: the next tile is asked for in front of the arithmetic.
__global__ void __launch_bounds__(128)
hgemm(const half *A, const half *B, float *C, int N, int K) {
  __shared__ __align__(32) half As[2][BM][BK + PAD];
  __shared__ __align__(32) half Bs[2][BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32;
  const int wm = warp / 2, wn = warp % 2;
  const int a_row = tid / 4, a_col = tid % 4 * 4;
  const int b_row = tid / 8, b_col = tid % 8 * 4;
  const int row = blockIdx.y * BM + a_row, col = blockIdx.x * BN + b_col;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  int stage = 0;
  __pipeline_memcpy_async(&As[0][a_row][a_col], &A[row * K + a_col], 8);
  __pipeline_memcpy_async(&Bs[0][b_row][b_col], &B[b_row * N + col], 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (k0 + BK < K) {
      __pipeline_memcpy_async(&As[stage ^ 1][a_row][a_col],
                              &A[row * K + k0 + BK + a_col], 8);
      __pipeline_memcpy_async(&Bs[stage ^ 1][b_row][b_col],
                              &B[(k0 + BK + b_row) * N + col], 8);
      __pipeline_commit();
    }
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::load_matrix_sync(a, &As[stage][wm * 16][0], BK + PAD);
    wmma::load_matrix_sync(b, &Bs[stage][0][wn * 16], BN + PAD);
    wmma::mma_sync(acc, a, b, acc);
    __pipeline_wait_prior(0);
    __syncthreads();
    stage ^= 1;
  }
  wmma::store_matrix_sync(
      &C[(blockIdx.y * BM + wm * 16) * N + blockIdx.x * BN + wn * 16], acc, N,
      wmma::mem_row_major);
}

#define CP_ASYNC(dst, src, bytes)                                              \
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;\n" ::"r"(            \
                   static_cast<uint32_t>(__cvta_generic_to_shared(dst))),      \
               "l"(src), "n"(bytes))
#define CP_COMMIT() asm volatile("cp.async.commit_group;\n" ::)
#define CP_WAIT_ALL() asm volatile("cp.async.wait_all;\n" ::: "memory")
#define CP_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

// The wait comes first, tiles are counted, and `cur` is 1 - cur.
__global__ void __launch_bounds__(256)
sgemm(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[2][16][16], Bs[2][16][16];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  const int tiles = K / 16;
  float sum = 0;
  int cur = 0;
  CP_ASYNC(&As[cur][ty][tx], A + row * K + tx, 4);
  CP_ASYNC(&Bs[cur][ty][tx], B + ty * N + col, 4);
  CP_COMMIT();
  for (int t = 0; t < tiles; ++t) {
    CP_WAIT_GROUP(0);
    __syncthreads();
    if (t + 1 < tiles) {
      CP_ASYNC(&As[1 - cur][ty][tx], A + row * K + (t + 1) * 16 + tx, 4);
      CP_ASYNC(&Bs[1 - cur][ty][tx], B + ((t + 1) * 16 + ty) * N + col, 4);
    }
    CP_COMMIT();
#pragma unroll
    for (int k = 0; k < 16; ++k)
      sum += As[cur][ty][k] * Bs[cur][k][tx];
    cur = 1 - cur;
  }
  C[row * N + col] = sum;
}

// The tile's number chooses, and the condition has the step on the other side.
__global__ void parity_of_tile(const float *x, float *y, int n) {
  __shared__ float s[2][128];
  const int tiles = n / 128;
  float sum = 0;
  CP_ASYNC(&s[0][threadIdx.x], &x[threadIdx.x], 4);
  CP_WAIT_ALL();
  __syncthreads();
  for (int t = 0; t < tiles; t++) {
    if (t < tiles - 1)
      CP_ASYNC(&s[(t + 1) & 1][threadIdx.x], &x[(t + 1) * 128 + threadIdx.x], 4);
    for (int j = 0; j < 128; ++j)
      sum += s[t & 1][j] * float(threadIdx.x ^ j);
    CP_WAIT_ALL();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Names for the next tile and the other buffer, declared in each turn.
__global__ void names_of_next(const float *__restrict__ x, float *y, int n) {
  __shared__ float s[2][128];
  float sum = 0;
  __pipeline_memcpy_async(&s[0][threadIdx.x], x + threadIdx.x, sizeof(float));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = 0; k < n; k += 128) {
    const int cur = k / 128 % 2;
    const int other = cur ^ 1;
    const int next = k + 128;
    const bool more = next < n;
    if (more)
      __pipeline_memcpy_async(&s[other][threadIdx.x], x + next + threadIdx.x,
                              sizeof(float));
    __pipeline_commit();
    for (int j = 0; j < 128; ++j)
      sum += s[cur][j] * float(threadIdx.x ^ j);
    __pipeline_wait_prior(0);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A function with loops of its own loads both tiles.
template <int ROWS, int COLS>
__device__ void load_tile(float (*to)[COLS], const float *from, int stride,
                          int tid) {
  for (int i = tid; i < ROWS * COLS / 4; i += 128) {
    const int r = i / (COLS / 4), c = i % (COLS / 4) * 4;
    CP_ASYNC(&to[r][c], from + r * stride + c, 16);
  }
}
template <int TILE>
__global__ void __launch_bounds__(128)
with_helper(const float *A, const float *B, float *C, int N, int K) {
  __shared__ __align__(16) float As[2][32][TILE];
  __shared__ __align__(16) float Bs[2][TILE][32];
  const int tid = threadIdx.x;
  const float *a = A + blockIdx.y * 32 * K, *b = B + blockIdx.x * 32;
  float acc[8] = {};
  load_tile<32, TILE>(As[0], a, K, tid);
  load_tile<TILE, 32>(Bs[0], b, N, tid);
  CP_COMMIT();
  CP_WAIT_GROUP(0);
  __syncthreads();
  int stage = 0;
  for (int k0 = 0; k0 < K; k0 += TILE) {
    if (k0 + TILE < K) {
      load_tile<32, TILE>(As[stage ^ 1], a + (k0 + TILE), K, tid);
      load_tile<TILE, 32>(Bs[stage ^ 1], b + (k0 + TILE) * N, N, tid);
      CP_COMMIT();
    }
    for (int k = 0; k < TILE; ++k)
      for (int i = 0; i < 8; ++i)
        acc[i] += As[stage][tid / 32 * 8 + i][k] * Bs[stage][k][tid % 32];
    CP_WAIT_GROUP(0);
    __syncthreads();
    stage ^= 1;
  }
  for (int i = 0; i < 8; ++i)
    C[(blockIdx.y * 32 + tid / 32 * 8 + i) * N + blockIdx.x * 32 + tid % 32] =
        acc[i];
}
template __global__ void with_helper<16>(const float *, const float *, float *,
                                         int, int);

// Rows past the end are zeros, which the number of bytes says.
__global__ void __launch_bounds__(128)
zeros(const float *A, float *y, int M, int K) {
  __shared__ __align__(16) float s[2][32][16];
  const int r = threadIdx.x / 4, c = threadIdx.x % 4 * 4;
  float sum = 0;
  int buf = 0;
  {
    const int bytes = r < M && c < K ? 16 : 0;
    const uint32_t to = __cvta_generic_to_shared(&s[0][r][c]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to),
                 "l"(A + (bytes ? r * K + c : 0)), "r"(bytes));
    CP_COMMIT();
  }
  for (int k = 0; k < K; k += 16) {
    CP_WAIT_GROUP(0);
    __syncthreads();
    if (k + 16 < K) {
      const int bytes = r < M && k + 16 + c < K ? 16 : 0;
      const uint32_t to = __cvta_generic_to_shared(&s[buf ^ 1][r][c]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(to),
                   "l"(A + (bytes ? r * K + k + 16 + c : 0)), "r"(bytes));
      CP_COMMIT();
    }
    for (int j = 0; j < 16; ++j)
      sum += s[buf][threadIdx.x % 32][j] * float(threadIdx.x ^ j);
    buf = buf ^ 1;
  }
  y[threadIdx.x] = sum;
}

// Half of the threads copy, and a pointer names the buffer of the turn.
__global__ void __launch_bounds__(128)
view_of_buffer(const float *x, float *y, int n) {
  __shared__ __align__(16) float s[2][64 * 4];
  float sum = 0;
  int stage = 0;
  if (threadIdx.x < 64)
    CP_ASYNC(&s[0][threadIdx.x * 4], &x[threadIdx.x * 4], 16);
  CP_COMMIT();
  CP_WAIT_GROUP(0);
  __syncthreads();
  for (int k = 0; k < n; k += 256) {
    if (k + 256 < n) {
      if (threadIdx.x < 64)
        CP_ASYNC(&s[!stage][threadIdx.x * 4], &x[k + 256 + threadIdx.x * 4], 16);
    }
    CP_COMMIT();
    const float *now = s[stage];
    for (int j = 0; j < 256; ++j)
      sum += now[j] * float(threadIdx.x ^ j);
    CP_WAIT_GROUP(0);
    __syncthreads();
    stage = !stage;
  }
  y[threadIdx.x] = sum;
}

// A barrier on either side of the arithmetic, and what is zeroed in between.
__global__ void two_barriers(const float *x, float *y, int n) {
  __shared__ float s[2][128];
  int stage = 0;
  CP_ASYNC(&s[stage][threadIdx.x], &x[threadIdx.x], 4);
  CP_COMMIT();
  float acc[4];
  for (int i = 0; i < 4; ++i)
    acc[i] = 0;
  for (int k = 0; k + 128 <= n; k += 128) {
    if (k + 128 + 128 <= n)
      CP_ASYNC(&s[(stage + 1) % 2][threadIdx.x], &x[128 + k + threadIdx.x], 4);
    CP_COMMIT();
    CP_WAIT_ALL();
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      acc[j % 4] += s[stage][j] * float(threadIdx.x ^ j);
    __syncthreads();
    stage = (stage + 1) % 2;
  }
  y[threadIdx.x] = acc[0] + acc[1] + acc[2] + acc[3];
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(hgemm) {
  for (int k : multiples(BK)) {
    if (!k)
      continue; // the first tile is copied in any case
    auto a = in<half>("A", 32 * k + BK * 32), b = in<half>("B", (k + BK) * 64);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(2, 1), dim3(128)}, hgemm, a, b, c, 64, k);
  }
}
CASE(sgemm) {
  for (int k : multiples(16)) {
    if (!k)
      continue; // the first tile is copied in any case
    auto a = in<float>("A", 32 * k + 32), b = in<float>("B", (k + 16) * 32);
    auto c = out<float>("C", 32 * 32);
    launch({dim3(2, 2), dim3(16, 16)}, sgemm, a, b, c, 32, k);
  }
}
CASE(parity_of_tile) {
  for (int n : multiples(128)) {
    if (!n)
      continue; // the first tile is copied in any case
    auto x = in<float>("x", n + 128), y = out<float>("y", 128);
    launch({1, 128}, parity_of_tile, x, y, n);
  }
}
CASE(names_of_next) {
  for (int n : multiples(128)) {
    if (!n)
      continue; // the first tile is copied in any case
    auto x = in<float>("x", n + 128), y = out<float>("y", 128);
    launch({1, 128}, names_of_next, x, y, n);
  }
}
CASE(with_helper) {
  for (int k : multiples(16)) {
    if (!k)
      continue; // the first tile is copied in any case
    auto a = in<float>("A", 32 * k + 32), b = in<float>("B", (k + 16) * 64);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(2, 1), dim3(128)}, with_helper<16>, a, b, c, 64, k);
  }
}
CASE(zeros) {
  for (int k : multiples(8)) {
    if (!k)
      continue; // the first tile is copied in any case
    auto a = in<float>("A", 32 * k + 32), y = out<float>("y", 128);
    launch({1, 128}, zeros, a, y, 30, k);
  }
}
CASE(view_of_buffer) {
  for (int n : multiples(256)) {
    if (!n)
      continue; // the first tile is copied in any case
    auto x = in<float>("x", n + 256), y = out<float>("y", 128);
    launch({1, 128}, view_of_buffer, x, y, n);
  }
}
CASE(two_barriers) {
  for (int n : multiples(128)) {
    if (!n)
      continue; // the first tile is copied in any case
    auto x = in<float>("x", n + 128), y = out<float>("y", 128);
    launch({1, 128}, two_barriers, x, y, n);
  }
}
#endif
