// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of the author's statements where the asynchronous operations in
// them went: no branch without a body, no second barrier.
// RUN: %kpipe rewrite %s --arch=sm_86 | FileCheck %s

#include <cuda/barrier>
#include <cuda_pipeline.h>

using barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void branches(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4], 16);
    if (threadIdx.x < 16)
      __pipeline_commit();
    if (t < n) {
      __pipeline_commit();
      __pipeline_wait_prior(0);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void two_barriers(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    bar.arrive_and_wait();
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: __global__ void branches(
// CHECK: auto load_tile
// CHECK: kpipe::copy_async(
// CHECK-NOT: if
// CHECK: };
// CHECK-LABEL: __global__ void two_barriers(
// CHECK-NOT: init(
// CHECK: auto compute_tile
// CHECK-NOT: __syncthreads();
// CHECK: };
