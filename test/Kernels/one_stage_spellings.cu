// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-stage loops of the copy engine in other words: an mbarrier for each operand,
// cuda::ptx.
// verdicts: sm_90a, from which on libcu++ declares these functions
// REQUIRES: executor
// RUN: %variants --ways=few --arch=sm_90a --at-least=2 --legal=. \
// RUN:   --option=--allow-occupancy-drop %s

#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_runtime.h>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;
namespace ptx = cuda::ptx;

constexpr int T = 64;

// Each operand has its mbarrier, and its token.
__global__ void __launch_bounds__(T) two_barriers(const float *x, const float *w, float *y, int n) {
  __shared__ alignas(128) float xs[T], ws[2 * T];
  __shared__ barrier bar_x, bar_w;
  if (threadIdx.x == 0) {
    init(&bar_x, blockDim.x);
    init(&bar_w, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  float sum = 0;
  barrier::arrival_token token_x, token_w;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      cde::fence_proxy_async_shared_cta();
      cde::cp_async_bulk_global_to_shared(xs, x + i * T, sizeof(xs), bar_x);
      token_x = cuda::device::barrier_arrive_tx(bar_x, 1, sizeof(xs));
      cde::cp_async_bulk_global_to_shared(ws, w + i * 2 * T, sizeof(ws), bar_w);
      token_w = cuda::device::barrier_arrive_tx(bar_w, 1, sizeof(ws));
    } else {
      token_x = bar_x.arrive();
      token_w = bar_w.arrive();
    }
    bar_x.wait(std::move(token_x));
    bar_w.wait(std::move(token_w));
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum = sum * 0.5f + xs[j] * ws[j + threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T) in_ptx(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      ptx::fence_proxy_async(ptx::space_shared);
      ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, xs, x + i * T, T * 4, &full);
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full,
                                     T * 4);
    }
    while (!ptx::mbarrier_try_wait_parity(&full, phase))
      ;
    phase ^= 1;
    sum = sum * 0.5f + xs[T - 1 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(two_barriers) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * T), w = in<float>("w", (t + 1) * 2 * T), y = out<float>("y", T);
    launch({1, T}, two_barriers, x, w, y, t);
  }
}
CASE(in_ptx) {
  for (int t : harness::trips()) {
    auto x = in<float>("x", (t + 1) * T), y = out<float>("y", T);
    launch({1, T}, in_ptx, x, y, t);
  }
}
#endif
