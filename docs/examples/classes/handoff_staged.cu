// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// handoff.cu with five stages: the producer runs ahead. Of eight numbers the
// ring holds 5, 6, 7, 3, 4 in the end.
#include <kpipe/pipeline_async.h>

constexpr int Stages = 5;

__global__ void handoff(float *res, float *staging, int n) {
  __shared__ kpipe::pipeline_storage<Stages> storage;
  __shared__ float slot[Stages];
  kpipe::pipeline_async<Stages> pipe(storage, kpipe::warps(1), kpipe::warps(1));
  auto sides = pipe.make_participants();

  if (threadIdx.x / 32 == 0) {
    if (threadIdx.x < Stages)
      slot[threadIdx.x] = 0;
    __syncwarp();
    for (int i = 0; i < n; ++i) {
      auto stage = sides.producer.acquire_and_advance();
      if (threadIdx.x == 0)
        slot[stage.index()] = 1.0f * i;
      stage.commit();
    }
    sides.producer.tail();
    __syncwarp();
    if (threadIdx.x < Stages)
      staging[threadIdx.x] = slot[threadIdx.x];
  } else {
    for (int i = 0; i < n; ++i) {
      auto stage = sides.consumer.wait_and_advance();
      if (threadIdx.x == 32)
        res[i] = slot[stage.index()];
      stage.release();
    }
  }
}

#ifdef KPIPE_HARNESS
#include "harness.h"

CASE(handoff) {
  for (int n : sizes(4)) {
    auto res = out<float>("res", n);
    auto staging = out<float>("staging", Stages);
    launch({dim3(1), dim3(64)}, handoff, res, staging, n);
  }
}
#endif
