// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said to be aligned is read by wider loads than the author wrote: stages
// have to be as aligned, and an array that would not be keeps one buffer.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s

constexpr int T = 64;

__device__ float four(const float *p) {
  const float *q = static_cast<const float *>(__builtin_assume_aligned(p, 16));
  return q[0] + q[1] - q[2] + 3 * q[3];
}

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

KERNEL(said_here) {
  __shared__ __align__(16) float xs[66];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: [[@LINE+1]]:3: note: single buffer, because a stage of 'xs' is 264 bytes, not a multiple of the 16 bytes that its accesses are aligned to
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    if (t < 2)
      xs[T + t] = x[k + t + 64];
    __syncthreads();
    for (int j = 0; j < 16; ++j) {
      auto *p = (const float *)__builtin_assume_aligned(xs + 4 * j, 16);
      sum += p[0] * t + p[1] - p[2] + 3 * p[3];
    }
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(said_in_helper) {
  __shared__ __align__(16) float xs[66];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[@LINE+2]]:3: remark: pipelined K-loop: single buffer of xs
  // CHECK: [[@LINE+1]]:3: note: single buffer, because a stage of 'xs' is 264 bytes, not a multiple of the 16 bytes
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    if (t < 2)
      xs[T + t] = x[k + t + 64];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += four(xs + 4 * j);
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(a_multiple) {
  __shared__ __align__(16) float xs[68];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    if (t < 4)
      xs[T + t] = x[k + t + 64];
    __syncthreads();
    for (int j = 0; j < 16; ++j)
      sum += four(xs + 4 * j);
    __syncthreads();
  }
  y[t] = sum;
}

// Another memory's alignment is none of the tile's.
KERNEL(said_of_another) {
  __shared__ float xs[66];
  const int t = threadIdx.x;
  float sum = four(x);
  // CHECK: [[@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    if (t < 2)
      xs[T + t] = x[k + t + 64];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * t;
    __syncthreads();
  }
  y[t] = sum;
}
