// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters that are declared once, where a loop goes on with what another one
// left: a copy cannot have one of its own.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="remark: pipelined"

#include <cuda_runtime.h>

constexpr int T = 64, N = 160;

#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)
#define BEGIN                                                                  \
  __shared__ float s[N];                                                       \
  const int t = threadIdx.x;                                                   \
  float sum = 0;                                                               \
  int i, k

KERNEL(read_by_compute) {
  BEGIN;
  for (k = 0; k < n; k += N) {
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: 'i' is written by the load region and read by the compute region [kpipe-carried-scalar]
    for (i = t; i < N; i += T)
      s[i] = x[k + i];
    __syncthreads();
    sum += i;
    for (int j = 0; j < N; ++j)
      sum += s[j] * j;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(read_behind) {
  BEGIN;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers
  for (k = 0; k < n; k += N) {
    for (i = t; i < N; i += T)
      s[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * j;
    __syncthreads();
  }
  y[t] = sum + i;
}

KERNEL(goes_on) {
  BEGIN;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers
  for (k = 0; k < n; k += N) {
    for (i = t; i < N / 2; i += T)
      s[i] = x[k + i];
    for (; i < N; i += T)
      s[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * j;
    __syncthreads();
  }
  y[t] = sum;
}

// The inner loop ends the outer one.
KERNEL(nested) {
  BEGIN;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers
  for (k = 0; k < n; k += N) {
    for (i = 0; i < 3; ++i)
      for (i = t; i < N; i += T)
        s[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * j;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(from_where_it_was) {
  BEGIN;
  i = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers
  for (k = 0; k < n; k += N) {
    for (i = i % 2 + t; i < N; i += T)
      s[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * j;
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(by_address) {
  BEGIN;
  int *p = &i;
  for (k = 0; k < n; k += N) {
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: 'i' is written by the load region and read by the compute region [kpipe-carried-scalar]
    for (i = t; i < N; i += T)
      s[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * (j + *p);
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(by_closure) {
  BEGIN;
  auto at = [&] { return i; };
  for (k = 0; k < n; k += N) {
    // CHECK: [[#@LINE+1]]:5: warning: not pipelined: 'i' is written by the load region and read by the compute region [kpipe-carried-scalar]
    for (i = t; i < N; i += T)
      s[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * (j + at());
    __syncthreads();
  }
  y[t] = sum;
}

// A loop is entered past its begin.
KERNEL(entered) {
  BEGIN;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers
  for (k = 0; k < n; k += N) {
    for (i = t; i < N; i += T)
      s[i] = x[k + i];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += s[j] * j;
    __syncthreads();
  }
  switch (n % 2) {
  case 0:
    for (i = 0; i < 9; ++i) {
    default:
      sum += i;
    }
  }
  y[t] = sum;
}
