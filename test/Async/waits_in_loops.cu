// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Waits by the parity of a phase in several loops, and parities that are counted
// from elsewhere than 0. What kpipe is to make of each kernel stands in front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include <cstdint>
#include <cuda_runtime.h>

#include "mbarriers.h"

// Expected: pipelined, both; the second loop goes on with the phases of the first.
__global__ void one_phase(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256], other[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  for (int t = 0; t < n; ++t) {
    cp_async16(&other[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum = sum * 0.5f + other[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined, both; a counter, also in the turns of an outer loop.
__global__ void one_count(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256], other[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  int count = 0;
  for (int row = 0; row < 2; ++row) {
    for (int t = 0; t < n; ++t) {
      cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
      mbarrier_arrive_noinc(&bar);
      mbarrier_wait(&bar, count & 1);
      ++count;
      for (int k = 0; k < 256; ++k)
        sum += tile[k] * (k ^ threadIdx.x);
      __syncthreads();
    }
    for (int t = row; t < n; ++t) {
      cp_async16(&other[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
      mbarrier_arrive_noinc(&bar);
      mbarrier_wait(&bar, count & 1);
      ++count;
      for (int k = 0; k < 256; ++k)
        sum = sum * 0.5f + other[k];
      __syncthreads();
    }
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the first turn is the second number.
__global__ void counts_from_one(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  for (int i = 1; i < n + 1; i++) {
    cp_async16(&tile[threadIdx.x * 4], &x[(i - 1) * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, (i - 1) & 1);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; a counter of its own, from an odd number.
__global__ void counts_from_three(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  unsigned turn = 3;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, (turn + 1) % 2);
    ++turn;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; the first turn waits for the phase before, which nobody
// began.
__global__ void counts_one_too_many(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  for (int i = 1; i < n + 1; i++) {
    cp_async16(&tile[threadIdx.x * 4], &x[(i - 1) * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, i & 1);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused; a remainder of what is below 0 is no parity.
__global__ void counts_from_below(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; i++) {
    cp_async16(&tile[threadIdx.x * 4], &x[i * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, (i - 2) % 2);
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused, both; the second loop begins with phases of its own, at a
// barrier that is in the middle of them.
__global__ void each_its_phase(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256], other[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0, again = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  for (int t = 0; t < n; ++t) {
    cp_async16(&other[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, again);
    again ^= 1;
    for (int k = 0; k < 256; ++k)
      sum = sum * 0.5f + other[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused, both; between them is one flip more.
__global__ void flips_between(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256], other[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  phase ^= 1;
  for (int t = 0; t < n; ++t) {
    cp_async16(&other[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum = sum * 0.5f + other[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused, both; who leaves the first loop in a turn has arrived for a
// phase that the second one waits for.
__global__ void leaves_a_turn(const float *x, float *out, int n) {
  __shared__ __align__(16) float tile[256], other[256];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    mbarrier_init(&bar, 64);
  __syncthreads();
  float sum = 0;
  uint32_t phase = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&tile[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    if (t == n - 1)
      break;
    mbarrier_wait(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += tile[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  for (int t = 0; t < n; ++t) {
    cp_async16(&other[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&bar);
    mbarrier_wait(&bar, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum = sum * 0.5f + other[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void tiles(void (*kernel)(const float *, float *, int)) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 256), y = out<float>("out", 64);
    launch({1, 64}, kernel, x, y, n);
  }
}
CASE(one_phase) { tiles(one_phase); }
CASE(one_count) { tiles(one_count); }
CASE(counts_from_one) { tiles(counts_from_one); }
CASE(counts_from_three) { tiles(counts_from_three); }
#endif
