// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Split: a load goes through registers if each store's place can be computed
// again after the compute, and the registers can be counted.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;

__global__ void splittable(const float *__restrict__ x, float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop splittable
    // CHECK-NOT: not splittable
    tile[(threadIdx.x + i) % T] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void scattered(const float *__restrict__ x, const int *__restrict__ at,
                          float *y, int n) {
  __shared__ float tile[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop scattered
    // CHECK: not splittable: {{.*}} depends on a loaded value
    tile[at[i + threadIdx.x]] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void uncounted(const float *__restrict__ x, float *y, int n, int rows) {
  __shared__ float tile[8][T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop uncounted
    // CHECK: not splittable: {{.*}} registers
    for (int r = 0; r != rows; ++r)
      tile[r][threadIdx.x] = x[r * n + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j % 8][j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
