// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are waited for by the parity of a barrier's phase, at once. What
// kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include "mbarriers.h"

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace ptx = cuda::ptx;
#pragma nv_diag_suppress static_var_with_dynamic_init

__device__ inline void mbarrier_arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem_u32(bar)) : "memory");
}
// A function asks, another one asks until it is so.
__device__ inline bool mbarrier_try(uint64_t *bar, uint32_t parity) {
  uint32_t done;
  asm volatile("{\n\t.reg .pred p;\n\t"
               "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
               "selp.b32 %0, 1, 0, p;\n\t}"
               : "=r"(done)
               : "r"(smem_u32(bar)), "r"(parity)
               : "memory");
  return done != 0;
}
__device__ inline void mbarrier_poll(uint64_t *bar, uint32_t parity) {
  while (!mbarrier_try(bar, parity)) {
  }
}
__device__ inline void mbarrier_spin(uint64_t *bar, uint32_t parity) {
  uint32_t done = 0;
  while (!done) {
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; "
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(smem_u32(bar)), "r"(parity)
                 : "memory");
  }
}
#define MBARRIER_WAIT(bar, parity)                                             \
  do {                                                                         \
    mbarrier_wait(bar, parity);                                                \
  } while (0)
#define COPIES_ARRIVE(bar)                                                     \
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(smem_u32(bar)) : "memory")

// Expected: pipelined; a cuda::barrier, all threads copy and arrive.
__global__ void flips(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  bool phase = false;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    (void)bar.arrive();
    bar.wait_parity(phase);
    phase = !phase;
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the parity is a bit of the tile's number.
__global__ void by_number(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n * 64; i += 64) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[i + threadIdx.x], sizeof(float), bar);
    (void)bar.arrive();
    bar.wait_parity((i / 64) & 1);
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; a raw mbarrier, at which the copies arrive by themselves.
__global__ void raw(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full);
    mbarrier_wait(&full, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the same by macros, the barrier closes the tile, too.
__global__ void by_macros(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  int phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    COPIES_ARRIVE(&bar);
    MBARRIER_WAIT(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    mbarrier_arrive(&bar);
    mbarrier_poll(&bar, phase);
    phase ^= 1;
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; only some threads copy, and arrive.
__global__ void copiers_arrive(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 16);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.x < 16) {
      cp_async16(&tile[threadIdx.x * 4], &x[t * 64 + threadIdx.x * 4]);
      mbarrier_arrive_noinc(&full);
    }
    mbarrier_spin(&full, t & 1);
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the C functions.
__global__ void c_functions(const int *x, int *out, int n) {
  __shared__ int tile[64];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    __mbarrier_init(&bar, 64);
  __syncthreads();
  int sum = 0;
  bool phase = false;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(&bar);
    __mbarrier_arrive(&bar);
    while (!__mbarrier_test_wait_parity(&bar, phase)) {
    }
    phase = !phase;
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; cuda::ptx, a counter that outlives the loop, an array.
__global__ void counted(const int *x, int *out, int n) {
  __shared__ int tile[64];
  __shared__ uint64_t bars[2];
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i)
      ptx::mbarrier_init(&bars[i], 64);
  __syncthreads();
  int sum = 0, turns = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(&bars[1]);
    ptx::mbarrier_arrive(&bars[1]);
    while (!ptx::mbarrier_try_wait_parity(&bars[1], turns % 2))
      ;
    ++turns;
    for (int k = 0; k < 64; ++k)
      sum = sum * 3 + tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum + turns;
}

// Expected: pipelined; the phase goes on from loop to loop.
__global__ void in_an_outer_loop(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ uint64_t full;
  const uint32_t full_at = smem_u32(&full);
  if (threadIdx.x == 0)
    mbarrier_init(&full, 64);
  __syncthreads();
  uint32_t phase = 0;
  for (int row = 0; row < 3; ++row) {
    float sum = 0;
    for (int t = 0; t < n; ++t) {
      cp_async16(&tile[threadIdx.x * 4], &x[(row * n + t) * 256 + threadIdx.x * 4]);
      asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(full_at) : "memory");
      mbarrier_wait(&full, phase);
      phase = 1 - phase;
      for (int k = 0; k < 256; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      __syncthreads();
    }
    out[row * 64 + threadIdx.x] = sum;
  }
}

// Expected: pipelined; two tiles with a barrier each, one phase for both.
__global__ void two_barriers(const float *x, const float *w, float *out, int n) {
  __shared__ alignas(16) float a[256], b[256];
  __shared__ uint64_t full_a, full_b;
  if (threadIdx.x == 0) {
    mbarrier_init(&full_a, 64);
    mbarrier_init(&full_b, 64);
  }
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&a[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full_a);
    cp_async16(&b[threadIdx.x * 4], &w[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full_b);
    mbarrier_wait(&full_a, phase);
    mbarrier_wait(&full_b, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += a[k] * b[k ^ threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the first turn asks for a phase that was before it, so that
// something else has to wait.
__global__ void other_phase(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_arrive_on(reinterpret_cast<__mbarrier_t *>(cuda::device::barrier_native_handle(bar)));
    (void)bar.arrive();
    bar.wait_parity((t & 1) ^ 1);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the loop begins again at phase 0, the barrier does not; with
// an even number of turns it is the same.
__global__ void begins_again(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  for (int row = 0; row < 2; ++row)
    for (int t = 0; t < 2 * n; ++t) {
      cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
      (void)bar.arrive();
      bar.wait_parity(t & 1);
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      __syncthreads();
    }
  out[threadIdx.x] = sum;
}

// Expected: refused: a phase is ended before the loop.
__global__ void one_before(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  bar.arrive_and_wait();
  bool phase = true;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    (void)bar.arrive();
    bar.wait_parity(phase);
    phase = !phase;
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: who asks once has not waited.
__global__ void asked_once(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full);
    mbarrier_try(&full, phase);
    phase ^= 1;
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the copies come behind the arrival, which does not wait for
// them.
__global__ void arrives_first(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    mbarrier_arrive_noinc(&full);
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_wait(&full, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: the function waits for the other parity.
__device__ inline void mbarrier_wait_other(uint64_t *bar, uint32_t parity) {
  mbarrier_wait(bar, parity ^ 1);
}
__global__ void other_by_function(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full);
    mbarrier_wait_other(&full, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: half of the threads do not wait.
__global__ void some_wait(const float *x, float *out, int n) {
  __shared__ alignas(16) float tile[64];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 32);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  if (threadIdx.x < 32) // the first warp works alone
    for (int t = 0; t < n; ++t) {
      if (threadIdx.x < 16)
        cp_async16(&tile[threadIdx.x * 4], &x[t * 64 + threadIdx.x * 4]);
      mbarrier_arrive_noinc(&full);
      mbarrier_wait(&full, phase);
      phase ^= 1;
      for (int k = 0; k < 64; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      mbarrier_arrive(&full);
      mbarrier_wait(&full, phase);
      phase ^= 1;
    }
  out[threadIdx.x] = sum;
}

// Expected: refused: turns without a phase.
__global__ void skips_turns(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  bool phase = false;
  for (int t = 0; t < n; ++t) {
    if (t % 3 == 2)
      continue;
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    (void)bar.arrive();
    bar.wait_parity(phase);
    phase = !phase;
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: another name changes the phase.
__global__ void phase_by_reference(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  bool phase = false;
  bool &other = phase;
  for (int t = 0; t < n; ++t) {
    cuda::memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], sizeof(float), bar);
    (void)bar.arrive();
    bar.wait_parity(phase);
    phase = !phase;
    other = t & 1 ? false : true;
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: what a turn waits for is the arrival of the one before.
__global__ void arrives_behind(const float *x, float *out, int n) {
  __shared__ float tile[64];
  __shared__ barrier bar;
  if (threadIdx.x == 0)
    init(&bar, blockDim.x);
  __syncthreads();
  float sum = 0;
  bool phase = true;
  for (int t = 0; t < n; ++t) {
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[t * 64 + threadIdx.x], 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    bar.wait_parity(phase);
    phase = !phase;
    for (int k = 0; k < 64; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    (void)bar.arrive();
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class T> static void tiles(void (*kernel)(const T *, T *, int), int tile, int rows = 1) {
  for (int n : multiples(1)) {
    auto x = in<T>("x", rows * n * tile), y = out<T>("out", rows * 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(flips) { tiles(flips, 64); }
CASE(by_number) { tiles(by_number, 64); }
CASE(raw) { tiles(raw, 256); }
CASE(by_macros) { tiles(by_macros, 256); }
CASE(copiers_arrive) { tiles(copiers_arrive, 64); }
CASE(c_functions) { tiles(c_functions, 64); }
CASE(counted) { tiles(counted, 64); }
CASE(in_an_outer_loop) { tiles(in_an_outer_loop, 256, 3); }
CASE(two_barriers) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 256), w = in<float>("w", n * 256), y = out<float>("out", 64);
    launch({1, 64}, two_barriers, x, w, y, n);
  }
}
CASE(begins_again) { tiles(begins_again, 64, 2); }
CASE(one_before) { tiles(one_before, 64); }
CASE(some_wait) { tiles(some_wait, 64); }
CASE(skips_turns) { tiles(skips_turns, 64); }
CASE(phase_by_reference) { tiles(phase_by_reference, 64); }
#endif
