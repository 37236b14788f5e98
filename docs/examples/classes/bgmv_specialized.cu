// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bgmv.cu with a producer warp, which copies four floats a lane; four consumer
// warps, of which one lane each arrives, multiply.
#include <kpipe/copy_async.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 128, Stages = 3;

/// The sum over the consumers, in thread 0.
__device__ float consumers_sum(float value) {
  __shared__ float partial[Tile / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  kpipe::ptx::named_barrier_sync<1, Tile>(); // the producer is elsewhere
  for (int i = 1; i < Tile / 32; ++i)
    value += partial[i];
  return value;
}

__global__ void bgmv(float *Y, const float *__restrict__ X,
                     const float *__restrict__ W, const int *__restrict__ which,
                     int feat_in, int feat_out) {
  __shared__ alignas(16) float ws[Stages][Tile], xs[Stages][Tile];
  __shared__ kpipe::pipeline_storage<Stages> storage;
  kpipe::pipeline_cp_async<Stages, kpipe::arrivals<false, true, true, true>>
      pipe(storage, kpipe::warps(1), kpipe::warps(Tile / 32));
  auto sides = pipe.make_participants();
  int tiles = feat_in / Tile;

  if (threadIdx.x >= Tile) {
    const float *w = W + (which[blockIdx.y] * feat_out + blockIdx.x) * feat_in;
    const float *x = X + blockIdx.y * feat_in;
    int j = threadIdx.x % 32 * 4;
    for (int t = 0; t < tiles; ++t) {
      auto stage = sides.producer.acquire_and_advance();
      kpipe::copy_async(reinterpret_cast<float4 *>(&ws[stage.index()][j]),
                        reinterpret_cast<const float4 *>(&w[t * Tile + j]));
      kpipe::copy_async(reinterpret_cast<float4 *>(&xs[stage.index()][j]),
                        reinterpret_cast<const float4 *>(&x[t * Tile + j]));
      stage.commit();
    }
    sides.producer.tail();
  } else {
    float y = 0.0f;
    for (int t = 0; t < tiles; ++t) {
      auto stage = sides.consumer.wait_and_advance();
      y += ws[stage.index()][threadIdx.x] * xs[stage.index()][threadIdx.x];
      stage.release();
    }
    y = consumers_sum(y);
    if (threadIdx.x == 0)
      Y[blockIdx.y * feat_out + blockIdx.x] = y;
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(bgmv) {
  for (int tiles : {0, 1, 2, 3, 4, 9}) {
    int feat_in = tiles * Tile, feat_out = 3, batch = 4, adapters = 2;
    auto x = in<float>("x", batch * feat_in);
    auto w = in<float>("w", adapters * feat_out * feat_in);
    auto which = in<int>("which", batch, [](int b) { return b * 5 / 2 % 2; });
    auto y = out<float>("y", batch * feat_out);
    launch({dim3(feat_out, batch), dim3(Tile + 32)}, bgmv, y, x, w, which,
           feat_in, feat_out);
  }
}
#endif
