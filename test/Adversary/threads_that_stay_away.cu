// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --copies=remap has other threads bring an element than the author: all of them
// have to come, and what one copy's text says for all rows has to be what each
// copy says for its own.
// REQUIRES: executor
// RUN: %kpipe rewrite %s --arch=sm_86 --copies=remap --allow-occupancy-drop -o %t.cu 2>&1 | FileCheck %s
// RUN: %kpipe rewrite %s --arch=sm_86 --copies=remap --variant=ldg -o %t.ldg.cu
// RUN: %execute %s %t.cu %t.ldg.cu

constexpr int T = 64;

// The first threads leave the kernel that calls.
__device__ float after_leaving(const float *x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 16; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  return sum;
}
__global__ void leave(const float *x, float *y, int n) {
  if (threadIdx.x < 16)
    return;
  y[threadIdx.x] = after_leaving(x, n);
}
// CHECK: the copies of xs are not remapped: not all threads of the block may come to the loop

// They pass the call by, two functions above the loop.
__device__ float in_branch(const float *x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 16; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  return sum;
}
__device__ float twice(const float *x, int n) { return 2 * in_branch(x, n); }
__global__ void branch(const float *x, float *y, int n) {
  if (threadIdx.x >= 16)
    y[threadIdx.x] = twice(x, n);
}
// CHECK: the copies of xs are not remapped: not all threads of the block may come to the loop

// They pass the loop by, which loads the same tile each time.
__global__ void same_tile(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (threadIdx.x >= 16) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      for (int j = 16; j < T; ++j)
        sum += xs[j] * ((threadIdx.x ^ j) + i);
      __syncthreads();
    }
    y[threadIdx.x] = sum;
  }
}
// CHECK: the copies of xs are not remapped: not all threads of the block may come to the loop

// All come, though some kernels return behind the call.
__device__ float for_all(const float *x, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  return sum;
}
__device__ float handed_on(const float *x, int n) { return for_all(x, n); }
__global__ void all_legal(const float *x, float *y, int n) {
  const float sum = handed_on(x, n);
  if (threadIdx.x < 16)
    return;
  y[threadIdx.x] = sum;
}
// CHECK: the copies of xs are made in pieces of 16 bytes

// Rows backwards: of the first two the number is 0 or more in 32 bits, of the
// others it would wrap around.
__global__ void backwards(const float *x, float *y, int n) {
  __shared__ float xs[4][16];
  const int tid = threadIdx.x, r = tid / 16, c = tid % 16;
  const unsigned w = n;
  float sum = 0;
  for (int i = 0; i < n; i += 16) {
    if (tid < 32) {
      xs[r][c] = x[(long long)(w - r * w) + 3ll * w + i + c];
      xs[r + 2][c] = x[3ll * w - (r + 1ll) * w + i + c];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j / 16][j % 16] * (tid ^ j);
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: the copies of xs are not remapped: an index of its copy may wrap around

// The same bound with a sign and without.
__global__ void signs(const float *x, float *y, int n) {
  __shared__ float xs[4][16];
  const int tid = threadIdx.x, r = tid / 16, c = tid % 16;
  x += 64;
  float sum = 0;
  for (int i = 0; i < n; i += 16) {
    if (tid < 32) {
      xs[r][c] = i + c - 4 < n ? x[r * n + i + c - 4] : 0.0f;
      xs[r + 2][c] = unsigned(i + c - 4) < unsigned(n) ? x[(r + 2) * n + i + c - 4] : 0.0f;
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j / 16][j % 16] * (tid ^ j);
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: the copies of xs are not remapped: its guard is not made of bounds of rows and columns

// A byte that holds the number of a thread, and not that of an element.
__global__ void bytes(const float *x, float *y, int n) {
  __shared__ float xs[512];
  const unsigned char t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    xs[t] = x[i + t];
    xs[t + 256] = x[i + t + 256];
    __syncthreads();
    for (int j = 0; j < 512; j += 3)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: the copies of xs are not remapped: its copy cannot be written for a row and a column

// Rows that count without a sign, and an index below 0.
__global__ void below_zero(const float *x, float *y, int n) {
  __shared__ float xs[4][16];
  x += 64;
  float sum = 0;
  for (int i = 0; i < n; i += 16) {
    xs[threadIdx.x / 16][threadIdx.x % 16] =
        x[threadIdx.x % 16 + (long long)(1 - int(threadIdx.x / 16)) * 16 + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j / 16][j % 16] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK: the copies of xs are not remapped: its copy cannot be written for a row and a column

// Threads in any order, and every other one.
__global__ void orders_legal(const float *x, float *y, int n) {
  __shared__ float xs[4][16], zs[T];
  const int tid = threadIdx.x, t = tid < 32 ? 63 - tid : tid ^ 37;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[t & 3][t >> 2] = x[(t & 3) * n + i + (t >> 2)];
    if (tid % 2)
      for (int j = tid / 2; j < T; j += 32)
        zs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j / 16][j % 16] * (tid ^ j) + zs[j] * (tid - j);
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK: the copies of xs, zs are made in pieces of 16 bytes

#ifndef KPIPE_HARNESS
void launches(const float *x, float *y, int n) {
  leave<<<n, T>>>(x, y, n);
  branch<<<n, T>>>(x, y, n);
  same_tile<<<n, T>>>(x, y, n);
  all_legal<<<n, T>>>(x, y, n);
  backwards<<<n, T>>>(x, y, n);
  signs<<<n, T>>>(x, y, n);
  bytes<<<n, 256>>>(x, y, n);
  below_zero<<<n, T>>>(x, y, n);
  orders_legal<<<n, T>>>(x, y, n);
}
#else
#include "harness.h"
template <typename Kernel> static void run(Kernel K, int unit, int threads = T) {
  for (int n : multiples(unit)) {
    auto x = in<float>("x", 8 * n + 1024), y = out<float>("y", threads);
    launch({1, threads}, K, x, y, n);
  }
}
CASE(leave) { run(leave, T); }
CASE(branch) { run(branch, T); }
CASE(same_tile) { run(same_tile, T); }
CASE(all_legal) { run(all_legal, T); }
CASE(backwards) { run(backwards, 16); }
CASE(signs) { run(signs, 16); }
CASE(bytes) { run(bytes, 64, 256); }
CASE(below_zero) { run(below_zero, 16); }
CASE(orders_legal) { run(orders_legal, T); }
#endif
