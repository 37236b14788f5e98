// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that the hand-pipelined programs beside this one must equal. The
// array is used again after the loop, so the last barrier matters.
constexpr int T = 64;

__global__ void weighted(const float *x, float *y, int n) {
  __shared__ float xs[T];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[tid] = x[i + tid];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(tid ^ j);
    __syncthreads();
  }
  xs[tid] = sum;
  __syncthreads();
  y[tid] = sum + xs[T - 1 - tid];
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(weighted) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, weighted, x, y, n);
  }
}
#endif
