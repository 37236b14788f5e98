// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is computed from a tile goes through shared memory on its way, phase by
// phase, and meets more of global memory there: it is no second tile.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s

// Sum factorisation: the tile, what one axis makes of it, and that times the
// coefficients of each point.
template <int D, int Q>
__global__ void __launch_bounds__(Q *Q)
mass_apply(int elements, const float *__restrict__ basis, const float *__restrict__ weights,
           const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float b[Q][D], field[D][D], half[D][Q], points[Q][Q];
  const int tx = threadIdx.x, ty = threadIdx.y;
  if (tx < D)
    b[ty][tx] = basis[ty * D + tx];
  __syncthreads();
  for (int e = blockIdx.x; e < elements; e += gridDim.x) {
    if (tx < D && ty < D)
      field[ty][tx] = x[(e * D + ty) * D + tx];
    __syncthreads();
    if (ty < D) {
      float sum = 0;
      for (int d = 0; d < D; ++d)
        sum += field[ty][d] * b[tx][d];
      half[ty][tx] = sum;
    }
    __syncthreads();
    float sum = 0;
    for (int d = 0; d < D; ++d)
      sum += half[d][tx] * b[ty][d];
    points[ty][tx] = sum * weights[(e * Q + ty) * Q + tx];
    __syncthreads();
    if (ty < D) {
      sum = 0;
      for (int q = 0; q < Q; ++q)
        sum += points[q][tx] * b[q][ty];
      half[ty][tx] = sum;
    }
    __syncthreads();
    if (tx < D && ty < D) {
      sum = 0;
      for (int q = 0; q < Q; ++q)
        sum += half[ty][q] * b[q][tx];
      y[(e * D + ty) * D + tx] = sum;
    }
    __syncthreads();
  }
}

// Partial sums of a tile, of which one warp's thread makes a scale with a number
// of its own from global memory.
__global__ void __launch_bounds__(64)
scaled_sums(const float *__restrict__ x, const float *__restrict__ scales,
            float *__restrict__ y, int n) {
  __shared__ float tile[64], partial[8], scale[8];
  const int tid = threadIdx.x;
  float out = 0;
  for (int i = 0; i < n; i += 64) {
    tile[tid] = x[i + tid];
    __syncthreads();
    if (tid < 8) {
      float sum = 0;
      for (int j = 0; j < 8; ++j)
        sum += tile[tid * 8 + j];
      partial[tid] = sum;
    }
    __syncthreads();
    if (tid < 8)
      scale[tid] = partial[tid ^ 1] * scales[i / 64 * 8 + tid];
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      out += scale[j] * tile[(tid + j) % 64];
    __syncthreads();
  }
  y[tid] = out;
}

// What a tile says where to look is a tile's content at second hand.
__global__ void __launch_bounds__(64)
looked_up(const int *__restrict__ keys, const float *__restrict__ table,
          float *__restrict__ y, int n) {
  __shared__ int key[64], turned[64];
  __shared__ float found[64];
  const int tid = threadIdx.x;
  float out = 0;
  for (int i = 0; i < n; i += 64) {
    key[tid] = keys[i + tid];
    __syncthreads();
    turned[tid] = key[63 - tid];
    __syncthreads();
    found[tid] = table[turned[tid] & 63];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      out += found[(tid + j) % 64];
    __syncthreads();
  }
  y[tid] = out;
}

template __global__ void mass_apply<3, 5>(int, const float *, const float *, const float *,
                                          float *);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(mass_apply) {
  for (int n : {0, 1, 2, 7}) {
    auto basis = in<float>("basis", 15), weights = in<float>("weights", 25 * n),
         x = in<float>("x", 9 * n), y = out<float>("y", 9 * n);
    launch({dim3(2), dim3(5, 5)}, mass_apply<3, 5>, n, basis, weights, x, y);
  }
}
CASE(scaled_sums) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), scales = in<float>("scales", n / 8), y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, scaled_sums, x, scales, y, n);
  }
}
CASE(looked_up) {
  for (int n : multiples(64)) {
    auto keys = in<int>("keys", n);
    auto table = in<float>("table", 64), y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, looked_up, keys, table, y, n);
  }
}
#endif
