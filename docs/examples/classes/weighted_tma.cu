// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// weighted.cu with a producer warp whose elected lane has the copy engine fetch
// tiles, and with some of them weights: bytes that acquire is told of.
#include <kpipe/pipeline_async.h>

constexpr int Tile = 512, Threads = 128, Stages = 4;

__global__ void weighted(const float *in, const float *weights, float *out,
                         int tiles) {
  __shared__ alignas(128) float tile[Stages][Tile];
  __shared__ alignas(128) float fetched[2][Tile];
  __shared__ kpipe::pipeline_storage<Stages> storage;
  kpipe::pipeline_tma_async<Stages, kpipe::warp_arrivals> pipe(
      storage, sizeof tile[0], kpipe::threads(Threads));
  auto sides = pipe.make_participants();

  if (threadIdx.x >= Threads) {
    for (int t = 0; t < tiles; ++t) {
      bool more = t % 3 == 0;
      auto stage = sides.producer.acquire_and_advance(
          sides.producer.try_acquire(), more ? sizeof fetched[0] : 0);
      if (kpipe::ptx::elect_one()) {
        kpipe::ptx::copy_bulk(tile[stage.index()], in + t * Tile,
                              sizeof tile[0], stage.barrier());
        // The weights before the last ones were read with tile t - Stages.
        if (more)
          kpipe::ptx::copy_bulk(fetched[t / 3 % 2], weights + t / 3 * Tile,
                                sizeof fetched[0], stage.barrier());
      }
      stage.commit();
    }
    sides.producer.tail();
  } else {
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
      auto stage = sides.consumer.wait_and_advance();
      const float *weight = fetched[t / 3 % 2];
      for (int j = threadIdx.x; j < Tile; j += Threads)
        sum += tile[stage.index()][Tile - 1 - j] * weight[j];
      stage.release();
    }
    out[threadIdx.x] = sum;
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(weighted) {
  for (int tiles : sizes(2)) {
    auto x = in<float>("x", tiles * Tile);
    auto w = in<float>("w", (tiles + 2) / 3 * Tile);
    auto y = out<float>("y", Threads);
    launch({dim3(1), dim3(Threads + 32)}, weighted, x, w, y, tiles);
  }
}
#endif
