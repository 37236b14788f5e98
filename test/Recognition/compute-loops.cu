// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compute loops that --unroll=compute unrolls: outermost counted loops of 2 to
// 32 iterations that the author has not said how to unroll, also in functions
// that the compute calls.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__device__ float total(const float *row) {
  float sum = 0;
  for (int j = 0; j < 16; ++j)
    sum += row[j];
  return sum;
}

__global__ void compute_loops(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop compute_loops
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 8; ++j)
      // CHECK: short loop of the compute [[#@LINE-1]]:5
      for (int k = 0; k < 4; ++k)
        sum += tile[j * k];
    sum += total(tile);
    // CHECK-NEXT: short loop of the compute 13:3
    for (int j = 0; j < T; ++j)
      sum += tile[j];
#pragma unroll 2
    for (int j = 0; j < 8; ++j)
      sum += tile[j];
    __syncthreads();
    // CHECK-NEXT: item
  }
  y[threadIdx.x] = sum;
}
