// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// original.cu with cp.async in two stages, peeled. Each macro puts one defect in.
#include <kpipe/pipeline.h>

constexpr int T = 64;

__global__ void weighted(const float *x, float *y, int n) {
  __shared__ float xs[2][T];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  auto load_tile = [&](int i, int stage) {
#ifdef DOUBLE_COPY
    kpipe::copy_async(&xs[stage][tid], &x[i + tid]);
    kpipe::copy_async(&xs[stage][tid ^ 1], &x[i + (tid ^ 1)]);
#elif defined(COPY_TWICE)
    kpipe::copy_async(&xs[stage][tid], &x[i + (tid ^ 1)]);
    kpipe::copy_async(&xs[stage][tid], &x[i + tid]);
#elif defined(STORE_UNDER_COPY)
    kpipe::copy_async(&xs[stage][tid], &x[i + tid]);
    if (tid == 3)
      xs[stage][tid] = 0.0f;
#elif defined(MISALIGNED)
    // Two floats at once, from the odd threads: 4 modulo 8.
    if (tid % 2 == 1 && tid < T - 1)
      kpipe::copy_async(reinterpret_cast<float2 *>(&xs[stage][tid]),
                        reinterpret_cast<const float2 *>(&x[i + tid]));
    if (tid == 0 || tid == T - 1)
      kpipe::copy_async(&xs[stage][tid], &x[i + tid]);
#else
    kpipe::copy_async(&xs[stage][tid], &x[i + tid]);
#endif
  };
  auto compute_tile = [&](int stage) {
    for (int j = 0; j < T; ++j)
      sum += xs[stage][j] * float(tid ^ j);
  };
#ifdef PROLOGUE_UNGUARDED
  {
#else
  if (0 < n) {
#endif
    load_tile(0, 0);
    kpipe::commit();
#ifndef PROLOGUE_WAIT_REMOVED
    kpipe::wait_prior<0>();
#endif
#ifndef PROLOGUE_BARRIER_REMOVED
    __syncthreads();
#endif
    int stage = 0;
#ifdef PREFETCH_TOO_FAR
    for (int i = 0; i < n; i += T) {
#else
    for (int i = 0; i + T < n; i += T) {
#endif
#ifdef STAGE_OFF_BY_ONE
      load_tile(i + T, stage + 1);
#elif defined(SAME_STAGE)
      load_tile(i + T, stage);
#else
      load_tile(i + T, stage ^ 1);
#endif
#ifndef COMMIT_REMOVED
      kpipe::commit();
#endif
#ifdef SOURCE_WRITTEN
      if (tid == 5)
        const_cast<float *>(x)[i + T + tid] += 1.0f;
#elif defined(SOURCE_WRITTEN_BY_ANOTHER)
      if (tid == 0)
        const_cast<float *>(x)[i + T + 5] += 1.0f;
#endif
      compute_tile(stage);
#ifndef WAIT_REMOVED
      kpipe::wait_prior<0>();
#endif
#ifdef BARRIER_PARTIAL
      if (tid < 32)
        __syncthreads();
#elif !defined(BARRIER_REMOVED)
      __syncthreads();
#endif
      stage ^= 1;
    }
#ifdef EPILOGUE_WRONG_STAGE
    compute_tile(1);
#elif !defined(EPILOGUE_DROPPED)
    compute_tile(stage);
#endif
#ifndef LAST_BARRIER_REMOVED
    __syncthreads();
#endif
  }
#ifdef LAST_BARRIER_REMOVED
  xs[(n / T + 1) & 1][tid] = sum; // the stage that the epilogue reads
  __syncthreads();
  y[tid] = sum + xs[(n / T + 1) & 1][T - 1 - tid];
#else
  xs[0][tid] = sum;
  __syncthreads();
  y[tid] = sum + xs[0][T - 1 - tid];
#endif
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
