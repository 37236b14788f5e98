// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scale.cu with several buffers, of thread scope. A stage is copied into again
// when it has been read: tile t + Stages comes behind tile t.
#include <kpipe/copy_async_zfill.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 128, Stages = 4;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out,
                      int n) {
  __shared__ float tile[Stages][Tile];
  kpipe::thread_pipeline<Stages> pipe;
  int tiles = (n + Tile - 1) / Tile;

  auto load = [&](int t) {
    int i = t * Tile + threadIdx.x;
    pipe.producer_acquire();
    kpipe::copy_async_zfill(&tile[t % Stages][threadIdx.x], &in[i], i < n);
    pipe.producer_commit();
  };

  for (int t = 0; t < Stages && t < tiles; ++t)
    load(t);
  for (int t = 0; t < tiles; ++t) {
    pipe.consumer_wait();
    __syncthreads();
    int i = t * Tile + threadIdx.x;
    if (i < n)
      out[i] = tile[t % Stages][threadIdx.x] * 2.0f;
    pipe.consumer_release();
    __syncthreads();
    if (t + Stages < tiles)
      load(t + Stages);
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(scale) {
  for (int n : sizes(Tile)) {
    auto x = in<float>("x", n);
    auto y = out<float>("y", n);
    launch({dim3(1), dim3(Tile)}, scale, x, y, n);
  }
}
#endif
