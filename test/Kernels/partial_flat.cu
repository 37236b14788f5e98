// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles that are stored in part, filled by a pointer to all elements of an
// array of rows: up to a number of rows, times their length.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --variant=cp-async --stages=3 --allow-occupancy-drop -o %t.cu 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not="single buffer"
// CHECK-COUNT-6: remark: pipelined K-loop: 3 stages of

#include <cuda_runtime.h>

constexpr int R = 8, C = 12;

// Centroids: a template, blocks of any size.
template <int D, int Rows>
__global__ void centroids(const float *__restrict__ x, float *__restrict__ y, int k) {
  __shared__ float tile[Rows][D];
  float sum = 0;
  for (int c0 = 0; c0 < k; c0 += Rows) {
    const int cnt = min(Rows, k - c0);
    for (int i = threadIdx.x; i < cnt * D; i += blockDim.x)
      (&tile[0][0])[i] = x[c0 * D + i];
    __syncthreads();
    for (int c = 0; c < cnt; ++c)
      for (int d = 0; d < D; ++d)
        sum = sum * 0.5f + tile[c][d];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template __global__ void centroids<6, 8>(const float *, float *, int);

// A pointer that is made in front of the loop.
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R][C];
  float *flat = &tile[0][0];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    for (int i = threadIdx.x; i < rows * C; i += 32)
      flat[i] = x[k * C + i];
    __syncthreads();
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < C; ++c)
        sum = sum * 0.5f + tile[r][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Vectors of four elements.
__global__ void vectors(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 tile4[R * C / 4];
  __shared__ __align__(16) float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    for (int i = threadIdx.x; i < rows * C / 4; i += 32) {
      reinterpret_cast<float4 *>(tile)[i] = x[k * (C / 4) + i];
      tile4[i] = x[k * (C / 4) + i];
    }
    __syncthreads();
    for (int r = 0; r < rows; ++r)
      for (int q = 0; q < C / 4; ++q)
        sum = sum * 0.5f + tile[r][q] * tile[r][4 * q + 3] + tile4[C / 4 * r + q].x;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer that each turn makes, and a sum of it; vectors are read.
__global__ void made(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int left = (n - k < R ? n - k : R) * C;
    float *to = tile[0];
    for (int i = threadIdx.x; i < left; i += 32)
      *(to + i) = x[k * C + i];
    __syncthreads();
    for (int r = 0; r < R && k + r < n; ++r)
      for (int q = 0; q < C / 4; ++q) {
        float4 v = reinterpret_cast<const float4 *>(tile[r])[q];
        sum = sum * 0.5f + v.x + v.y * v.z - v.w;
      }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The first row's name for all of them.
__global__ void first_row(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R) {
    const int rows = min(R, n - k);
    for (int i = threadIdx.x; i < rows * C; i += 32)
      tile[0][i] = x[k * C + i];
    __syncthreads();
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < C; ++c)
        sum = sum * 0.5f + tile[r][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Flat both times, from a bound in elements.
__global__ void elements(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[R][C];
  float sum = 0;
  for (int k = 0; k < n; k += R * C) {
    for (int i = threadIdx.x; i < R * C; i += 32)
      if (k + i < n)
        (&tile[0][0])[i] = x[k + i];
    __syncthreads();
    for (int e = 0; e < min(R * C, n - k); ++e)
      sum = sum * 0.5f + (&tile[0][0])[e];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static const int Lengths[] = {1, 3, 7, 8, 9, 16, 21, 24, 31, 40};
CASE(flat_centroids) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * 6), y = out<float>("y", 32);
    launch({1, 32}, centroids<6, 8>, x, y, n);
  }
}
CASE(flat_named) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * C), y = out<float>("y", 32);
    launch({1, 32}, named, x, y, n);
  }
}
CASE(flat_vectors) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * C), y = out<float>("y", 32);
    launch({1, 32}, vectors, reinterpret_cast<const float4 *>((const float *)x), y, n);
  }
}
CASE(flat_made) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * C), y = out<float>("y", 32);
    launch({1, 32}, made, x, y, n);
  }
}
CASE(flat_first_row) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * C), y = out<float>("y", 32);
    launch({1, 32}, first_row, x, y, n);
  }
}
CASE(flat_elements) {
  for (int n : {1, 50, 95, 96, 97, 192, 200, 300}) {
    auto x = in<float>("x", n), y = out<float>("y", 32);
    launch({1, 32}, elements, x, y, n);
  }
}
#endif
