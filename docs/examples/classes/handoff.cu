// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp hands numbers to another through one slot of shared memory, with
// barriers of the block on both sides of the hand-over.

__global__ void handoff(float *res, int n) {
  __shared__ float slot;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0)
      slot = 1.0f * i;
    __syncthreads();
    if (threadIdx.x == 32)
      res[i] = slot;
    __syncthreads();
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
