// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
__device__ inline void load(const float *x, float *xs, int k) {
  for (int i = 0; i < 4; ++i) xs[i * 64 + threadIdx.x] = 2 * x[k + i * 64 + threadIdx.x];
}
