// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carried addresses: a pointer into the tile that outlives the iteration would
// point to another tile's stage, so the buffer stays single.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__global__ void kept(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  const float *last = nullptr;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop kept
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j] + (last ? *last : 0);
    last = &tile[threadIdx.x];
    // CHECK: buffer tile 256 bytes, align 4, single: 'last' {{.*}} address of 'tile'
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is read behind the loop only is an address in the last tile's stage.
__global__ void last_of_all(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  const float *last = nullptr;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop last_of_all
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    last = &tile[threadIdx.x];
    // CHECK: buffer tile 256 bytes, align 4, ring{{$}}
    __syncthreads();
  }
  y[threadIdx.x] = sum + *last;
}

// A pointer that begins and ends with the iteration is no matter.
__global__ void used_at_once(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop used_at_once
    // CHECK: buffer tile 256 bytes, align 4, ring{{$}}
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const float *row = tile;
    for (int j = 0; j < T; ++j)
      sum += row[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
