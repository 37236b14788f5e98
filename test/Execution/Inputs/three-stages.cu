// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// original.cu with cp.async in three stages, guarded: one loop, a commit in every
// iteration. Each macro puts one defect in.
#include <kpipe/pipeline.h>

constexpr int T = 64, S = 3;

#ifdef WAIT_TOO_LARGE
constexpr int Pending = S - 1;
#else
constexpr int Pending = S - 2;
#endif

__global__ void weighted(const float *x, float *y, int n) {
  __shared__ float xs[S][T];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  const int tiles = n / T;
  auto load_tile = [&](int t) {
    kpipe::copy_async(&xs[t % S][tid], &x[t * T + tid]);
  };
  for (int t = 0; t < S - 1; ++t) {
    if (t < tiles)
      load_tile(t);
    kpipe::commit();
  }
  for (int t = 0; t < tiles; ++t) {
    kpipe::wait_prior<Pending>();
#ifndef BARRIER_REMOVED
    __syncthreads();
#endif
    if (t + S - 1 < tiles) {
#ifdef RING_TOO_SHORT
      kpipe::copy_async(&xs[t % S][tid], &x[(t + S - 1) * T + tid]);
#else
      load_tile(t + S - 1);
#endif
#ifdef COMMIT_SKIPPED_IN_TAIL
      kpipe::commit();
    }
#else
    }
    kpipe::commit();
#endif
    for (int j = 0; j < T; ++j)
      sum += xs[t % S][j] * float(tid ^ j);
  }
  __syncthreads();
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
