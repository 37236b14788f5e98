// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor cores: the compute region multiplies matrices, here or in a function
// that it calls.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 32;

__device__ void multiply(float (&d)[4], const unsigned *a, const unsigned *b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}

__global__ void on_tensor_cores(const unsigned *__restrict__ x, float *y, int n) {
  __shared__ unsigned tile[3 * T];
  float d[4] = {};
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop on_tensor_cores
    // CHECK: tensor cores
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    multiply(d, &tile[0], &tile[2]);
    __syncthreads();
  }
  y[threadIdx.x] = d[0];
}

// Other inline assembly is not.
__global__ void on_fma_units(const unsigned *__restrict__ x, float *y, int n) {
  __shared__ unsigned tile[T];
  unsigned sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK-LABEL: tile-loop on_fma_units
    // CHECK-NOT: tensor cores
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      asm("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(tile[j]));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
