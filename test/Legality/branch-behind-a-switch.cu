// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that is the branch of a condition has no block in which a stage could
// be declared behind it, nor one that a case could lead into.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

__global__ void __launch_bounds__(64)
branch(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  switch (n) {
  case 1:
    sum = 2;
    break;
  default:
    break;
  }
  if (n > 3)
    for (int i = 0; i < n; i += 64) {
      // CHECK: :[[#@LINE-1]]:5: remark: pipelined K-loop: single buffer
      // CHECK: note: single buffer, because 'xs' is also used after the block that contains the loop
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      sum += xs[threadIdx.x ^ 1];
      __syncthreads();
    }
  y[threadIdx.x] = sum + xs[threadIdx.x];
}
