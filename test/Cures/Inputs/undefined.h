// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
constexpr int T = 64;
#define STEP 64
__device__ inline void load(const float *x, float *xs, int i) {
  xs[threadIdx.x % STEP] = x[i + threadIdx.x];
}
#ifndef CURED
#undef STEP
#endif
