// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without a barrier behind the compute, slower threads may still read what the
// next tile overwrites: a race of the input, which the executor sees. It is told,
// and the output has the barrier.
// REQUIRES: executor
// RUN: not %execute --arch=sm_90a %s | FileCheck %s --check-prefix=RACE
// RACE: asynchronous copy of 128 bytes at xs+0 {{.*}} races with the read by thread
// RUN: %kpipe rewrite --arch=sm_90a --allow-occupancy-drop %s -o %t.cu 2>&1 | FileCheck %s
// CHECK: note: the input lacks a barrier behind the compute: slower threads may still read what its next tile overwrites; the output has one
// RUN: %execute --arch=sm_90a --flag=-I%S %t.cu | FileCheck %s --check-prefix=CLEAN
// CLEAN: 0 hazards

#include <cstdint>
#include <cuda_runtime.h>

__device__ inline uint32_t shared_of(const void *p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
__device__ inline void init(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_of(bar)), "r"(count)
               : "memory");
}
__device__ inline bool arrived(uint64_t *bar, unsigned parity) {
  uint32_t done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; "
               "selp.u32 %0, 1, 0, p;}"
               : "=r"(done)
               : "r"(shared_of(bar)), "r"(parity)
               : "memory");
  return done;
}

constexpr int T = 32;
__global__ void __launch_bounds__(T) weigh(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T], ws[T];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (threadIdx.x == 0) {
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_of(&full)),
                   "n"(2 * T * 4)
                   : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%0], [%1], %2, [%3];" ::"r"(shared_of(xs)),
                   "l"(x + i), "n"(T * 4), "r"(shared_of(&full))
                   : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                   "[%0], [%1], %2, [%3];" ::"r"(shared_of(ws)),
                   "l"(w + i), "n"(T * 4), "r"(shared_of(&full))
                   : "memory");
    }
    while (!arrived(&full, (i / T) % 2))
      ;
    for (int j = 0; j < T; ++j)
      sum = sum * 0.5f + xs[j] * ws[(j + threadIdx.x) % T];
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(weigh) {
  for (int t : {2, 5}) {
    auto x = in<float>("x", (t + 1) * T), w = in<float>("w", (t + 1) * T), y = out<float>("y", T);
    launch({1, T}, weigh, x, w, y, t * T);
  }
}
#endif
