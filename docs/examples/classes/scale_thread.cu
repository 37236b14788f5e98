// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scale.cu with two buffers: cuda::pipeline of thread scope in kpipe's terms.
#include <kpipe/copy_async_zfill.h>
#include <kpipe/pipeline_async.h>

constexpr int Tile = 128;

__global__ void scale(const float *__restrict__ in, float *__restrict__ out,
                      int n) {
  __shared__ float tile[2][Tile];
  kpipe::thread_pipeline<2> pipe;
  int tiles = (n + Tile - 1) / Tile;

  // The copy has the condition; the commit has none, see "warp entanglement".
  auto load = [&](int t) {
    int i = t * Tile + threadIdx.x;
    pipe.producer_acquire();
    kpipe::copy_async_zfill(&tile[t % 2][threadIdx.x], &in[i], i < n);
    pipe.producer_commit();
  };

  load(0);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles)
      load(t + 1);
    pipe.consumer_wait();
    __syncthreads();
    int i = t * Tile + threadIdx.x;
    if (i < n)
      out[i] = tile[t % 2][threadIdx.x] * 2.0f;
    pipe.consumer_release();
    __syncthreads();
  }
  kpipe::wait_prior<0>();
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
