// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule carried-scalar: what the load computes and the compute needs as well, and
// only the load can compute: with the store, or from what another tile left, or
// from memory that the loop changes. The variable is named.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='pipelined K-loop'
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   %s 2>&1 | FileCheck --check-prefix=OFF %s
// OFF-NOT: pipelined K-loop
// OFF: no loop was pipelined

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define USE                                                                    \
  for (int j = 0; j < T; ++j)                                                  \
    sum += xs[j] * (t ^ j)

// In the statement that stores.
BEGIN(with_the_store) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float v;
  for (int k = 0; k < n; k += T) {
    xs[t] = v = x[k + t];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'v' is written by the load region and read by the compute region [kpipe-carried-scalar]
    __syncthreads();
    USE;
    sum += v;
    __syncthreads();
  }
  y[t] = sum;
}

// On one of two ways that both store.
BEGIN(on_one_way) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float v = 0;
    if (k + 2 * t < n) {
      // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'v' is written by the load region and read by the compute region [kpipe-carried-scalar]
      v = x[k + t];
      xs[t] = v;
    } else {
      xs[t] = 0;
    }
    __syncthreads();
    USE;
    sum += v;
    __syncthreads();
  }
  y[t] = sum;
}

// In the loop that copies.
BEGIN(of_the_last_turn) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  int at;
  for (int k = 0; k < n; k += T) {
    for (int i = 0; i < 2; ++i) {
      // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'at' is written by the load region and read by the compute region [kpipe-carried-scalar]
      at = k + t + i;
      xs[t + i * T] = x[at];
    }
    __syncthreads();
    USE;
    sum += at;
    __syncthreads();
  }
  y[t] = sum;
}

// Of three planes that wander, one is loaded for each tile.
BEGIN(of_the_tile_before) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float a = 0, b = 0;
  for (int k = 0; k < n; k += T) {
    a = b;
    b = x[k + t];
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'b' is written by the load region and read by the compute region [kpipe-carried-scalar]
    xs[t] = a + b;
    __syncthreads();
    USE;
    sum += a - b;
    __syncthreads();
  }
  y[t] = sum;
}

// From memory that the loop changes.
__global__ void __launch_bounds__(T)
    changed_memory(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  float v;
  for (int k = 0; k < n; k += T) {
    v = y[t];
    xs[t] = x[k + t] + v;
    __syncthreads();
    USE;
    y[t] = sum + v;
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: each iteration loads what the one before it stored to 'y' [kpipe-may-alias]
    __syncthreads();
  }
}
