// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scale.cu with a pipeline of block scope: every thread copies and every thread
// reads. No __syncthreads is left.
#include <kpipe/copy_async_zfill.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 128, Stages = 3;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out,
                      int n) {
  __shared__ kpipe::pipeline_storage<Stages> storage;
  __shared__ float tile[Stages][Tile];
  kpipe::pipeline_cp_async<Stages> pipe(storage, kpipe::whole_block(),
                                        kpipe::whole_block());
  auto sides = pipe.make_participants();
  int tiles = (n + Tile - 1) / Tile;

  auto load = [&](int t) {
    int i = t * Tile + threadIdx.x;
    auto stage = sides.producer.acquire_and_advance();
    kpipe::copy_async_zfill(&tile[stage.index()][threadIdx.x], &in[i], i < n);
    stage.commit();
  };

  for (int t = 0; t < Stages && t < tiles; ++t)
    load(t);
  for (int t = 0; t < tiles; ++t) {
    auto stage = sides.consumer.wait_and_advance();
    int i = t * Tile + threadIdx.x;
    if (i < n)
      out[i] = tile[stage.index()][threadIdx.x] * 2.0f;
    stage.release();
    if (t + Stages < tiles)
      load(t + Stages); // behind the release: it waits for it
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
