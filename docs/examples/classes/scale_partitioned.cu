// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scale.cu with a partitioned pipeline: the first warps copy, the others read.
#include <kpipe/copy_async_zfill.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 128, Stages = 3, Producers = 64;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out,
                      int n) {
  __shared__ kpipe::pipeline_storage<Stages> storage;
  __shared__ float tile[Stages][Tile];
  kpipe::pipeline_cp_async<Stages> pipe(storage, kpipe::threads(Producers),
                                        kpipe::threads(Tile));
  auto sides = pipe.make_participants();
  int tiles = (n + Tile - 1) / Tile;

  if (threadIdx.x < Producers) {
    for (int t = 0; t < tiles; ++t) {
      auto stage = sides.producer.acquire_and_advance();
      for (int j = threadIdx.x; j < Tile; j += Producers)
        kpipe::copy_async_zfill(&tile[stage.index()][j], &in[t * Tile + j],
                                t * Tile + j < n);
      stage.commit();
    }
    sides.producer.tail();
  } else {
    int j = threadIdx.x - Producers;
    for (int t = 0; t < tiles; ++t) {
      auto stage = sides.consumer.wait_and_advance();
      if (t * Tile + j < n)
        out[t * Tile + j] = tile[stage.index()][j] * 2.0f;
      stage.release();
    }
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(scale) {
  for (int n : sizes(Tile)) {
    auto x = in<float>("x", n);
    auto y = out<float>("y", n);
    launch({dim3(1), dim3(Producers + Tile)}, scale, x, y, n);
  }
}
#endif
