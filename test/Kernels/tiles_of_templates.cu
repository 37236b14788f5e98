// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates whose tile is an object of a class template: where the class says
// `float` for all arguments, registers of it can wait.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK-COUNT-4: remark: pipelined K-loop: 2 stages

#include <cuda_runtime.h>

namespace tiles {
template <int N> struct Square {
  float v[N][N + 1];
  __device__ float &at(int row, int column) { return v[row][column]; }
  __device__ float at(int row, int column) const { return v[row][column]; }
};
template <int Rows, int Columns> struct Pair {
  float a[Rows * Columns];
  int b[Columns];
  __device__ int &operator[](int i) { return b[i]; }
};
struct Line {
  float v[8];
};
template <int N> struct Nested {
  struct {
    float a[N];
    int b[N];
  } first;
  struct Rows {
    float v[N];
  };
  Rows rows[2];
  Line line;
};
} // namespace tiles

// The member is named.
template <int N>
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ tiles::Square<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    tile.v[threadIdx.y][threadIdx.x] = x[(t + threadIdx.y) * N + threadIdx.x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum = sum * 0.5f + tile.v[threadIdx.x][j] * tile.v[j][threadIdx.y];
    __syncthreads();
  }
  y[threadIdx.y * N + threadIdx.x] = sum;
}

// By a member function that returns a reference.
template <int N>
__global__ void by_function(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ tiles::Square<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    tile.at(threadIdx.y, threadIdx.x) = 2 * x[(t + threadIdx.y) * N + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum = sum * 0.5f + tile.at(threadIdx.x, j) * tile.at(j, threadIdx.y);
    __syncthreads();
  }
  y[threadIdx.y * N + threadIdx.x] = sum;
}

// Two members, one by an operator; two instances.
template <int N>
__global__ void members(const float *__restrict__ x, const int *__restrict__ z,
                        float *__restrict__ y, int n) {
  __shared__ tiles::Pair<4, N> tile;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    for (int r = 0; r < 4; ++r)
      tile.a[r * N + threadIdx.x] = x[(t * 4 + r) * N + threadIdx.x] * 3;
    tile[threadIdx.x] = z[t * N + threadIdx.x] - t;
    __syncthreads();
    for (int j = 0; j < 4 * N; ++j)
      sum = sum * 0.5f + tile.a[j] * tile[j % N];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Parts of parts: of a class without a name, of one in the template, of the
// file's.
template <int N>
__global__ void parts(const float *__restrict__ x, const int *__restrict__ z,
                      float *__restrict__ y, int n) {
  __shared__ tiles::Nested<N> tile;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    tile.first.a[threadIdx.x] = x[t * N + threadIdx.x] * 3;
    tile.first.b[threadIdx.x] = z[t * N + threadIdx.x] - t;
    tile.rows[1].v[threadIdx.x] = x[t * N + threadIdx.x] + 1;
    tile.rows[0].v[threadIdx.x] = x[t * N + threadIdx.x] - 1;
    if (threadIdx.x < 8)
      tile.line.v[threadIdx.x] = x[t * N + threadIdx.x] * x[t];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum = sum * 0.5f + tile.first.a[j] * tile.first.b[j] +
            tile.rows[j % 2].v[j] * tile.line.v[j % 8];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(templates_named) {
  for (int n : multiples(8)) {
    auto x = in<float>("x", n * 8), y = out<float>("y", 64);
    launch({1, dim3(8, 8)}, named<8>, x, y, n);
  }
}
CASE(templates_by_function) {
  for (int n : multiples(8)) {
    auto x = in<float>("x", n * 8), y = out<float>("y", 64);
    launch({1, dim3(8, 8)}, by_function<8>, x, y, n);
  }
}
CASE(templates_members) {
  for (int n : {1, 2, 5}) {
    auto x = in<float>("x", n * 4 * 32), y = out<float>("y", 32);
    auto z = in<int>("z", n * 32);
    launch({1, 16}, members<16>, x, z, y, n);
    launch({1, 32}, members<32>, x, z, y, n);
  }
}
CASE(templates_parts) {
  for (int n : {1, 2, 5}) {
    auto x = in<float>("x", n * 32), y = out<float>("y", 32);
    auto z = in<int>("z", n * 32);
    launch({1, 16}, parts<16>, x, z, y, n);
    launch({1, 32}, parts<32>, x, z, y, n);
  }
}
#endif
template __global__ void parts<16>(const float *, const int *, float *, int);
template __global__ void parts<32>(const float *, const int *, float *, int);
template __global__ void named<8>(const float *, float *, int);
template __global__ void by_function<8>(const float *, float *, int);
template __global__ void members<16>(const float *, const int *, float *, int);
template __global__ void members<32>(const float *, const int *, float *, int);
