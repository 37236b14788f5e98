// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays that the compute fills from the tile and from global memory: that
// is no second load, and the tile alone has stages.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK: remark: pipelined K-loop: 2 stages of ks, vs,
// CHECK: remark: pipelined K-loop: 2 stages of at,
// CHECK: remark: pipelined K-loop: 2 stages of ks,
// CHECK: remark: pipelined K-loop: 2 stages of xs,

#include <cuda_runtime.h>

constexpr int T = 32;

// Scores of an attention, whose queries are read where they are.
__global__ void scores(const float *__restrict__ q, const float *__restrict__ k,
                       const float *__restrict__ v, float *__restrict__ o, int n) {
  __shared__ float ks[8][T], vs[8][T], p[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0, most = -1e30f;
  for (int t = 0; t < n; t += 8) {
    ks[ty][tx] = k[(t + ty) * T + tx];
    vs[ty][tx] = v[(t + ty) * T + tx];
    __syncthreads();
    float s = 0;
    if (tx < 8) {
      for (int i = 0; i < T; ++i)
        s += q[(blockIdx.x * 8 + ty) * T + i] * ks[tx][i];
      p[ty][tx] = s;
    }
    __syncthreads();
    for (int j = 0; j < 8; ++j) {
      most = fmaxf(most, p[ty][j]);
      sum = sum * 0.5f + p[ty][j] * vs[j][tx] + most;
    }
    __syncthreads();
  }
  o[(blockIdx.x * 8 + ty) * T + tx] = sum;
}

// Indices of a tile, by which the compute gathers another one.
__global__ void gathered(const int *__restrict__ index, const float *__restrict__ x,
                         float *__restrict__ y, int n) {
  __shared__ int at[T];
  __shared__ float rows[T][T];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    at[threadIdx.x] = index[t + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < T; ++r)
      rows[r][threadIdx.x] = x[at[r] * T + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < T; ++r)
      sum = sum * 0.5f + rows[threadIdx.x][r];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The middle stretch loads the values besides.
__global__ void values_later(const float *__restrict__ q, const float *__restrict__ k,
                             const float *__restrict__ v, float *__restrict__ o, int n) {
  __shared__ float ks[T], vs[T], p[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    ks[i] = k[t + i];
    __syncthreads();
    p[i] = ks[T - 1 - i] * q[i];
    vs[i] = v[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum = sum * 0.5f + p[j] * vs[(i + j) % T];
    __syncthreads();
  }
  o[i] = sum;
}

// A sum of the block, with weights from global memory.
__global__ void reduced(const float *__restrict__ x, const float *__restrict__ w,
                        float *__restrict__ y, int n) {
  __shared__ float xs[T], part[T];
  const int i = threadIdx.x;
  float all = 0;
  for (int t = 0; t < n; t += T) {
    xs[i] = x[t + i];
    __syncthreads();
    float mine = xs[i] * w[i] + xs[T - 1 - i];
    part[i] = mine;
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < T; ++j)
      sum += part[j];
    all = all * 0.5f + sum * xs[i];
    __syncthreads();
  }
  y[i] = all;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(computed_scores) {
  for (int n : multiples(8)) {
    auto q = in<float>("q", 16 * T), k = in<float>("k", n * T), v = in<float>("v", n * T),
         o = out<float>("o", 16 * T);
    launch({2, dim3(T, 8)}, scores, q, k, v, o, n);
  }
}
CASE(computed_gathered) {
  for (int n : multiples(T)) {
    auto index = in<int>("index", n, [](size_t i) { return int(i * 7 % 50); });
    auto x = in<float>("x", 50 * T), y = out<float>("y", T);
    launch({1, T}, gathered, index, x, y, n);
  }
}
CASE(computed_values_later) {
  for (int n : multiples(T)) {
    auto q = in<float>("q", T), k = in<float>("k", n), v = in<float>("v", n),
         o = out<float>("o", T);
    launch({1, T}, values_later, q, k, v, o, n);
  }
}
CASE(computed_reduced) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), w = in<float>("w", T), y = out<float>("y", T);
    launch({1, T}, reduced, x, w, y, n);
  }
}
#endif
