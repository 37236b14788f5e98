// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// handoff.cu with a pipeline of one stage: only the two warps wait, and only
// for each other.
#include <kpipe/pipeline_async.h>

__global__ void handoff(float *res, int n) {
  __shared__ kpipe::pipeline_storage<1> storage;
  __shared__ float slot[1];
  kpipe::pipeline_async<1> pipe(storage, kpipe::warps(1), kpipe::warps(1));
  auto sides = pipe.make_participants();

  if (threadIdx.x / 32 == 0) {
    for (int i = 0; i < n; ++i) {
      auto stage = sides.producer.acquire_and_advance();
      if (threadIdx.x == 0)
        slot[stage.index()] = 1.0f * i;
      stage.commit();
    }
    sides.producer.tail();
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
    launch({dim3(1), dim3(64)}, handoff, res, n);
  }
}
#endif
