// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the executor reports of a single program, with the place, the array and
// the threads; one kernel for each hazard that has nothing to do with copies.
// REQUIRES: executor
// RUN: not %execute %s | FileCheck %s

#include <cassert>
#include <cuda_runtime.h>

__global__ void race(float *out) {
  __shared__ float s[64];
  // CHECK-DAG: [[#@LINE+1]]:18: hazard: write of 4 bytes at s+{{[0-9]+}} by thread ({{[0-9]+}},0,0) races with the read by thread ({{[0-9]+}},0,0) at {{.*}}hazards.cu:[[#@LINE+3]]:22 [shared-race] [original; race;
  s[threadIdx.x] = 1.0f;
  // CHECK-DAG: [[#@LINE+1]]:22: hazard: read of 4 bytes at s+0 by thread (1,0,0) races with the write by thread (0,0,0) at {{.*}}hazards.cu:[[#@LINE-1]]:18 [shared-race] [original; race;
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void uninitialised(float *out) {
  __shared__ float s[64];
  if (threadIdx.x != 5)
    s[threadIdx.x] = 1.0f;
  __syncthreads();
  // CHECK-DAG: [[#@LINE+1]]:22: hazard: read of 4 bytes at s+20 by thread (37,0,0), which nothing wrote in this block [uninitialised-read] [original; uninitialised; late; forward reverse shuffled; 3 times]
  out[threadIdx.x] = s[threadIdx.x ^ 32];
}

__global__ void shared_bounds(float *out) {
  __shared__ float s[64], t[64];
  s[threadIdx.x] = t[threadIdx.x] = 1.0f;
  __syncthreads();
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: hazard: write of 4 bytes at 0 bytes past the end of t (256 bytes) by thread (63,0,0) [shared-bounds]
  t[threadIdx.x + 1] = 2.0f;
  out[threadIdx.x] = s[threadIdx.x];
}

__global__ void global_bounds(float *out, const float *x) {
  // CHECK-DAG: [[#@LINE+1]]:22: hazard: read of 4 bytes at 0 bytes past the end of x (256 bytes) by thread (63,0,0) [global-bounds]
  out[threadIdx.x] = x[threadIdx.x + 1];
}

__global__ void global_race(float *out) {
  out[threadIdx.x] = 1.0f;
  // CHECK-DAG: [[#@LINE+1]]:27: hazard: read of 4 bytes at out+0 by thread (1,0,0) races with the write by thread (0,0,0) at {{.*}}hazards.cu:[[#@LINE-1]]:20 [global-race]
  out[threadIdx.x + 64] = out[threadIdx.x ^ 1];
}

__global__ void divergent_sites(float *out) {
  if (threadIdx.x < 32)
    // CHECK-DAG: [[#@LINE+1]]:5: hazard: thread (0,0,0) waits at this barrier while thread (32,0,0) waits at another, at {{.*}}hazards.cu:[[#@LINE+3]]:5 [barrier-divergence]
    __syncthreads();
  else
    __syncthreads();
  out[threadIdx.x] = 1.0f;
}

__global__ void skipped_barrier(float *out) {
  __syncthreads();
  if (threadIdx.x < 40)
    // CHECK-DAG: [[#@LINE+1]]:5: hazard: thread (0,0,0) waits at this barrier, which thread (63,0,0) never reached before it ended [barrier-divergence]
    __syncthreads();
  out[threadIdx.x] = 1.0f;
}

__global__ void divergent_warp(float *out) {
  float v = threadIdx.x;
  if (threadIdx.x != 7)
    // CHECK-DAG: [[#@LINE+1]]:9: hazard: thread (0,0,0) waits at this warp operation for lanes that never come, and thread (7,0,0) at a barrier{{.*}} [warp-divergence]
    v = __shfl_xor_sync(0xFFFFFFFFu, v, 1);
  __syncthreads();
  out[threadIdx.x] = v;
}

__global__ void wild(float *out, long offset) {
  // CHECK-DAG: [[#@LINE+1]]:{{[0-9]+}}: hazard: fault at address 0x{{[0-9a-f]+}} by thread (3,0,0) [wild-access]
  out[threadIdx.x] = threadIdx.x == 3 ? *reinterpret_cast<float *>(offset) : 1;
}

__global__ void assertion(float *out) {
  // CHECK-DAG: [[#@LINE+1]]:3: hazard: assertion failed: threadIdx.x < 9 in thread (9,0,0) [assertion]
  assert(threadIdx.x < 9);
  out[threadIdx.x] = 1.0f;
}

__global__ void unknown_asm(float *out) {
  unsigned v;
  // CHECK-DAG: [[#@LINE+1]]:3: hazard: inline asm 'tcgen05.fence' has no stand-in
  asm volatile("tcgen05.fence;" : "=r"(v));
  out[threadIdx.x] = v;
}

// CHECK: FAIL:

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(float *)) {
  auto y = out<float>("out", 128);
  launch({1, 64}, kernel, y);
}
CASE(race) { run(race); }
CASE(uninitialised) { run(uninitialised); }
CASE(shared_bounds) { run(shared_bounds); }
CASE(global_bounds) {
  auto x = in<float>("x", 64), y = out<float>("out", 64);
  launch({1, 64}, global_bounds, y, x);
}
CASE(global_race) { run(global_race); }
CASE(divergent_sites) { run(divergent_sites); }
CASE(skipped_barrier) { run(skipped_barrier); }
CASE(divergent_warp) { run(divergent_warp); }
CASE(wild) {
  auto y = out<float>("out", 64);
  launch({1, 64}, wild, y, 16);
}
CASE(assertion) { run(assertion); }
CASE(unknown_asm) { run(unknown_asm); }
#endif
