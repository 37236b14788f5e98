// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that are given numbers by `const int &`, and hand them on, as ggml's
// are. Products, quotients and remainders of them are no bits of an address.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s
// RUN: %kpipe rewrite %s --arch=sm_80 -n 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK-COUNT-2: remark: pipelined K-loop: 2 stages of

#include <cuda_runtime.h>

constexpr int T = 32, Rows = 8;

__device__ __forceinline__ int word(const short *x, const int &i) {
  const unsigned short *halves = (const unsigned short *)(x + 2 * i);
  return halves[0] | halves[1] << 16;
}

template <int Threads>
__device__ __forceinline__ void load_tile(const short *__restrict__ x, int *__restrict__ tile,
                                          const int &offset, const int &last, const int &k,
                                          const int &words) {
  const int part = k / 4, of = k % 4;
  for (int r = 0; r < Rows; r += Threads) {
    const int row = min(r + offset, last);
    tile[(r + offset) * (T + 1) + k] = word(x + 2 * row * words + part * 8, of);
  }
}

__global__ void quants(const short *__restrict__ x, float *__restrict__ y, int rows, int words) {
  __shared__ int tile[Rows * T + Rows];
  float sum = 0;
  for (int w = 0; w < words; w += T) {
    load_tile<4>(x + 2 * w, tile, threadIdx.y, rows - 1, threadIdx.x, words);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum = sum * 0.5f + tile[(threadIdx.y + 4) * (T + 1) + i] % 100 - tile[i];
    __syncthreads();
  }
  y[threadIdx.y * T + threadIdx.x] = sum;
}

__device__ float at(const float *tile, const unsigned &row, const unsigned &column) {
  return tile[row * T + column % T];
}

__global__ void reads(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[4 * T];
  const unsigned row = threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    tile[row * T + threadIdx.x] = x[row * n + t + threadIdx.x];
    __syncthreads();
    for (unsigned i = 0; i < T; ++i)
      sum = sum * 0.5f + at(tile, row ^ 1, i + threadIdx.x);
    __syncthreads();
  }
  y[row * T + threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(quants) {
  for (int words : {32, 64, 160}) {
    auto x = in<short>("x", 7 * 2 * words, [](std::size_t i) { return short(i * 37 % 101); });
    auto y = out<float>("y", 4 * T);
    launch({1, {T, 4}}, quants, x, y, 7, words);
  }
}
CASE(reads) {
  for (int n : {32, 64, 160}) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", 4 * T);
    launch({1, {T, 4}}, reads, x, y, n);
  }
}
#endif
