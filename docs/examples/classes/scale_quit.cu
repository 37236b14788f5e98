// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scale_block.cu whose threads leave early: those that the last, partial tile
// has nothing for quit before it, and the others do not wait for them.
#include <kpipe/copy_async.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 128, Stages = 3;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out,
                      int n) {
  __shared__ kpipe::pipeline_storage<Stages> storage;
  __shared__ float tile[Stages][Tile];
  kpipe::pipeline_cp_async<Stages> pipe(storage, kpipe::whole_block(),
                                        kpipe::whole_block());
  auto sides = pipe.make_participants();

  for (int i = threadIdx.x; i < n; i += Tile) {
    auto filled = sides.producer.acquire_and_advance();
    kpipe::copy_async(&tile[filled.index()][threadIdx.x], &in[i]);
    filled.commit();
    auto stage = sides.consumer.wait_and_advance();
    out[i] = tile[stage.index()][threadIdx.x] * 2.0f;
    stage.release();
  }
  if (n % Tile != 0 && threadIdx.x >= n % Tile) {
    sides.producer.quit();
    sides.consumer.quit();
    return;
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
