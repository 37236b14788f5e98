// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages in the bytes that the launches give: all threads of the block bring the
// last tile to the first stage, where names behind the loop look for it. Here
// some of them pass the loop by, and would leave their part of it behind.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=3 %s
// RUN: %kpipe rewrite %s --arch=sm_86 --variant=cp-async --allow-occupancy-drop 2>/dev/null | %code | FileCheck %s

constexpr int T = 64, N = 256, Bytes = 4096;

// The second warp has nothing to do.
__global__ void __launch_bounds__(T)
passed_by(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *rest = smem + N;
  int t = threadIdx.x;
  // CHECK-NOT: to_first_stage(
  if (t < 32) {
    float sum = 0;
    for (int i = 0; i < n; i += N) {
#pragma unroll
      for (int j = t; j < N; j += 32)
        smem[j] = x[i + j];
      __syncthreads();
      for (int j = 0; j < N; ++j)
        sum += smem[j] * (t ^ j);
      __syncthreads();
    }
    rest[t] = sum;
    for (int j = 0; j < N; ++j)
      sum += smem[j] * j;
    y[t] = sum + rest[t];
  }
}

// Who has, a switch says.
__global__ void __launch_bounds__(T)
chosen(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *rest = smem + N;
  int t = threadIdx.x;
  bool runs = false;
  switch (t / 32) {
  case 0:
    runs = true;
  }
  if (runs) {
    float sum = 0;
    for (int i = 0; i < n; i += N) {
#pragma unroll
      for (int j = t; j < N; j += 32)
        smem[j] = x[i + j];
      __syncthreads();
      for (int j = 0; j < N; ++j)
        sum += smem[j] * (t ^ j);
      __syncthreads();
    }
    rest[t] = sum;
    for (int j = 0; j < N; ++j)
      sum += smem[j] * j;
    y[t] = sum + rest[t];
  }
}

// All come, or none.
// CHECK-LABEL: all_legal(
// CHECK: kpipe::to_first_stage(smem,
__global__ void __launch_bounds__(T)
all_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  float *rest = smem + N;
  int t = threadIdx.x;
  if (n > 0) {
    float sum = 0;
    for (int i = 0; i < n; i += N) {
#pragma unroll
      for (int j = t; j < N; j += T)
        smem[j] = x[i + j];
      __syncthreads();
      for (int j = 0; j < N; ++j)
        sum += smem[j] * (t ^ j);
      __syncthreads();
    }
    rest[t] = sum;
    for (int j = 0; j < N; ++j)
      sum += smem[j] * j;
    y[t] = sum + rest[t];
  }
}

void run_passed_by(const float *x, float *y, int n) { passed_by<<<1, T, Bytes>>>(x, y, n); }
void run_chosen(const float *x, float *y, int n) { chosen<<<1, T, Bytes>>>(x, y, n); }
void run_all(const float *x, float *y, int n) { all_legal<<<1, T, Bytes>>>(x, y, n); }

#ifdef KPIPE_HARNESS
#include "harness.h"
template <typename Run> static void tiles(Run run) {
  for (int n : multiples(N))
    if (n) {
      auto x = in<float>("x", n), y = out<float>("y", T);
      run(x, y, n);
    }
}
CASE(passed) { tiles(run_passed_by); }
CASE(some) { tiles(run_chosen); }
CASE(all) { tiles(run_all); }
#endif
