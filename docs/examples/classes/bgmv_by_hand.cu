// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bgmv.cu with two stages of thread scope. Each thread reads what it has copied
// itself: no barrier is left in the loop.
#include <kpipe/copy_async.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 128, Stages = 2;

/// The sum over the block, in thread 0.
__device__ float block_sum(float value) {
  __shared__ float partial[Tile / 32];
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffff, value, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  for (int i = 1; i < Tile / 32; ++i)
    value += partial[i];
  return value;
}

__global__ void bgmv(float *Y, const float *__restrict__ X,
                     const float *__restrict__ W, const int *__restrict__ which,
                     int feat_in, int feat_out) {
  __shared__ float ws[Stages][Tile], xs[Stages][Tile];
  const float *w = W + (which[blockIdx.y] * feat_out + blockIdx.x) * feat_in;
  const float *x = X + blockIdx.y * feat_in;
  kpipe::thread_pipeline<Stages> pipe;
  int tiles = feat_in / Tile;

  auto load = [&](int t) {
    pipe.producer_acquire();
    if (t < tiles) {
      kpipe::copy_async(&ws[t % Stages][threadIdx.x],
                        &w[t * Tile + threadIdx.x]);
      kpipe::copy_async(&xs[t % Stages][threadIdx.x],
                        &x[t * Tile + threadIdx.x]);
    }
    pipe.producer_commit();
  };

  load(0);
  float y = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    load(t + 1);
    pipe.consumer_wait();
    y += ws[t % Stages][threadIdx.x] * xs[t % Stages][threadIdx.x];
    pipe.consumer_release();
  }
  y = block_sum(y);
  if (threadIdx.x == 0)
    Y[blockIdx.y * feat_out + blockIdx.x] = y;
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
    launch({dim3(feat_out, batch), dim3(Tile)}, bgmv, y, x, w, which, feat_in,
           feat_out);
  }
}
#endif
