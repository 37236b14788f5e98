// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `if consteval` has no condition that could be asked for.
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s -- -std=c++23 2>&1 | FileCheck %s

__global__ void branch(const float *x, float *y, int n) {
  __shared__ float xs[32];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 32) {
    if (t + i < n)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < 32 && t + j < n; ++j) {
      // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: not pipelined: a statement of kind if consteval, which kpipe cannot analyze
      if consteval {
        break;
      }
      sum += xs[j];
    }
    __syncthreads();
  }
  y[i] = sum;
}
