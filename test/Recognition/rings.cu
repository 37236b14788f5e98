// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rings: a buffer may have a stage for each tile if every iteration stores the
// same elements, and every mention can mean a stage. Else it stays single.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__global__ void rings(const float *__restrict__ x, float *y, int n) {
  __shared__ float plain[T], moving[2 * T], sometimes[T], changed[T], before[T];
  float sum = 0;
  before[threadIdx.x] = 0;
  // CHECK-LABEL: tile-loop rings
  for (int i = 0; i < n; i += T) {
    plain[threadIdx.x] = x[i + threadIdx.x];
    // CHECK-DAG: buffer plain 256 bytes, align 4, ring{{$}}
    moving[threadIdx.x + i % 2] = x[i + threadIdx.x];
    // CHECK-DAG: buffer moving 512 bytes, align 4, single: {{.*}}'moving'
    if (i % 3 == 0)
      sometimes[threadIdx.x] = x[i + threadIdx.x];
      // CHECK-DAG: buffer sometimes 256 bytes, align 4, single: 'sometimes' {{.*}} condition
    changed[threadIdx.x] = x[i + threadIdx.x];
    // CHECK-DAG: buffer changed 256 bytes, align 4, single: the compute region {{.*}} 'changed'
    before[threadIdx.x] = x[i + threadIdx.x];
    // CHECK-DAG: buffer before 256 bytes, align 16, ring, keeps its contents{{$}}
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += plain[j] + moving[j] + sometimes[j] + changed[j] + before[j];
    __syncthreads();
    changed[threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is read behind the loop is the last tile, and may be a ring.
__global__ void behind(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop behind
    tile[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: buffer tile 256 bytes, align 4, ring, used after the loop
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum + tile[0];
}

// The alignment is that of the widest access.
__global__ void aligned(const float *__restrict__ x, float *y, int n) {
  __shared__ __align__(16) float tile[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 4 * T) {
    // CHECK-LABEL: tile-loop aligned
    *(float4 *)&tile[4 * threadIdx.x] = *(const float4 *)&x[i + 4 * threadIdx.x];
    // CHECK: buffer tile 1024 bytes, align 16, ring{{$}}
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
