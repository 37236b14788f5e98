// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers that take words apart which the call has loaded, and store what comes
// of them: the half that stores does without the words.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --variant=ldg --stages=2 --allow-occupancy-drop -o %t.cu 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not="single buffer"
// CHECK-COUNT-3: remark: pipelined K-loop: 2 stages of

#include <cuda_runtime.h>

constexpr int T = 32;

__device__ __forceinline__ void unpack(unsigned q, float *to, float scale, int zero) {
#pragma unroll
  for (int i = 0; i < 8; ++i)
    to[i] = (int(q >> 4 * i & 15) - zero) * scale;
}

// AWQ's way: a word from a variable, its scale and zero in the call.
__global__ void words(const unsigned *__restrict__ q, const float *__restrict__ scales,
                      const unsigned char *__restrict__ zeros, float *__restrict__ y, int n) {
  __shared__ float s[T][8];
  float sum = 0;
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    unsigned word = q[k * T + t];
    unpack(word, &s[t][0], scales[k], zeros[k]);
    __syncthreads();
    for (int r = 0; r < T; ++r)
      sum = sum * 0.5f + s[r][t % 8];
    __syncthreads();
  }
  y[t] = sum;
}

// The word too is loaded where the helper is called.
__global__ void in_call(const unsigned *__restrict__ q, float *__restrict__ y, int n) {
  __shared__ float s[T][8];
  float sum = 0;
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    unpack(q[k * T + t], s[t], 0.5f, 3);
    __syncthreads();
    for (int r = 0; r < T; ++r)
      sum = sum * 0.5f + s[r][t % 8];
    __syncthreads();
  }
  y[t] = sum;
}

// A template, beside a tile that is copied as it is.
template <typename V>
__device__ void scaled(V *to, const V *from, V by, int columns) {
  for (int i = 0; i < 2; ++i)
    to[i * T] = from[i * columns] * by;
}
__global__ void by_row(const float *__restrict__ x, const float *__restrict__ by,
                       float *__restrict__ y, int n) {
  __shared__ float s[2][T], plain[T];
  float sum = 0;
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    scaled<float>(&s[0][t], x + 2 * k * T + t, by[k], T);
    plain[t] = x[2 * k * T + t];
    __syncthreads();
    for (int r = 0; r < T; ++r)
      sum = sum * 0.5f + s[0][r] - s[1][t] + plain[r];
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(words_words) {
  for (int n : multiples(1)) {
    auto q = in<unsigned>("q", n * T, [](size_t i) { return unsigned(i * 2654435761u); });
    auto scales = in<float>("scales", n), y = out<float>("y", T);
    auto zeros = in<unsigned char>("zeros", n, [](size_t i) { return (unsigned char)(i % 5); });
    launch({1, T}, words, q, scales, zeros, y, n);
  }
}
CASE(words_in_call) {
  for (int n : multiples(1)) {
    auto q = in<unsigned>("q", n * T, [](size_t i) { return unsigned(i * 2654435761u); });
    auto y = out<float>("y", T);
    launch({1, T}, in_call, q, y, n);
  }
}
CASE(words_by_row) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 2 * T), by = in<float>("by", n), y = out<float>("y", T);
    launch({1, T}, by_row, x, by, y, n);
  }
}
#endif
