// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// original.cu with register prefetch: double-buffered with one barrier a tile,
// and (SINGLE_BUFFER) one buffer with two. Each other macro puts one defect in.
constexpr int T = 64;

#ifdef SINGLE_BUFFER
constexpr int Stages = 1;
#else
constexpr int Stages = 2;
#endif

__global__ void weighted(const float *x, float *y, int n) {
  __shared__ float xs[Stages][T];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  float staged;
  auto fetch_tile = [&](int i) { staged = x[i + tid]; };
  auto store_tile = [&](int stage) { xs[stage][tid] = staged; };
  auto compute_tile = [&](int stage) {
    for (int j = 0; j < T; ++j)
      sum += xs[stage][j] * float(tid ^ j);
  };
  if (0 < n) {
    fetch_tile(0);
    store_tile(0);
    __syncthreads();
    int stage = 0;
    for (int i = 0; i + T < n; i += T) {
#ifndef FETCH_DROPPED
      fetch_tile(i + T);
#endif
      compute_tile(stage);
#ifdef SINGLE_BUFFER
#ifndef READ_BARRIER_REMOVED
      __syncthreads();
#endif
      store_tile(stage);
#else
      store_tile(stage ^ 1);
#endif
#ifndef WRITE_BARRIER_REMOVED
      __syncthreads();
#endif
#ifndef SINGLE_BUFFER
      stage ^= 1;
#endif
    }
    compute_tile(stage);
    __syncthreads();
  }
  xs[0][tid] = sum;
  __syncthreads();
  y[tid] = sum + xs[0][T - 1 - tid];
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
