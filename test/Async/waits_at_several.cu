// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that are initialised together and waited for one after the other, and
// what else stands beside a phase. What kpipe is to make of each kernel stands in
// front of it.
// REQUIRES: executor
// RUN: %execute %s | FileCheck %s
// CHECK-NOT: hazard
// CHECK: PASS:

#include "mbarriers.h"

// Expected: pipelined; one block initialises both.
__global__ void one_block(const float *x, const float *w, float *out, int n) {
  __shared__ alignas(16) float a[256], b[256];
  __shared__ uint64_t full;
  __shared__ uint64_t more;
  if (threadIdx.x == 0) {
    mbarrier_init(&full, 64);
    mbarrier_init(&more, 64);
  }
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&a[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full);
    cp_async16(&b[threadIdx.x * 4], &w[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&more);
    mbarrier_wait(&full, t & 1);
    mbarrier_wait(&more, t & 1);
    for (int k = 0; k < 256; ++k)
      sum += a[k] * b[k ^ threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; two elements of an array.
__global__ void elements(const float *x, const float *w, float *out, int n) {
  __shared__ alignas(16) float a[256], b[256];
  __shared__ uint64_t full[2];
  if (threadIdx.x == 0) {
    mbarrier_init(&full[0], 64);
    mbarrier_init(&full[1], 64);
    ;
  }
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    cp_async16(&a[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full[0]);
    cp_async16(&b[threadIdx.x * 4], &w[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full[1]);
    mbarrier_wait(&full[0], t & 1);
    mbarrier_wait(&full[1], t & 1);
    for (int k = 0; k < 256; ++k)
      sum += a[k] * b[k ^ threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: pipelined; the phase is declared beside something that is used.
__global__ void beside(const float *x, const float *w, float *out, int n) {
  __shared__ alignas(16) float a[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 64);
  __syncthreads();
  float sum = w[threadIdx.x];
  uint32_t phase = 0, other = 3;
  for (int t = 0; t < n; ++t) {
    cp_async16(&a[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full);
    mbarrier_wait(&full, phase);
    phase ^= 1;
    for (int k = 0; k < 256; ++k)
      sum += a[k] * ((k ^ threadIdx.x) + other);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Expected: refused: one more than true is true, so that the third turn waits for
// the phase of the second.
__global__ void no_counter(const float *x, const float *w, float *out, int n) {
  __shared__ alignas(16) float a[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    mbarrier_init(&full, 64);
  __syncthreads();
  float sum = w[threadIdx.x];
  bool turns = false;
  for (int t = 0; t < n; ++t) {
    cp_async16(&a[threadIdx.x * 4], &x[t * 256 + threadIdx.x * 4]);
    mbarrier_arrive_noinc(&full);
    mbarrier_wait(&full, turns & 1);
    turns += 1;
    for (int k = 0; k < 256; ++k)
      sum += a[k] * (k ^ threadIdx.x);
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, const float *, float *, int)) {
  for (int n : multiples(1)) {
    auto x = in<float>("x", n * 256), w = in<float>("w", n * 256 + 64);
    auto y = out<float>("out", 64);
    launch({1, 64}, kernel, x, w, y, n);
  }
}
CASE(one_block) { run(one_block); }
CASE(elements) { run(elements); }
CASE(beside) { run(beside); }
#endif
