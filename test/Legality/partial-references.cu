// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last tile is stored in part, and more than an element may be read through
// a reference to it, or more elements than are stored: a single buffer stays.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

struct Point {
  float x, y;
};
__device__ float next(const Point &a) { return a.x + (&a)[1].y; }
__device__ float change(Point &a) { return a.x += 1.0f; }

// The element behind it.
__global__ void neighbour(const Point *__restrict__ p, float *__restrict__ d, int n) {
  __shared__ Point tile[32];
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: partial-references.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (int base = 0; base < n; base += 32) {
    if (base + t < n) tile[t] = p[base + t];
    __syncthreads();
    int count = min(32, n - base);
    for (int j = 0; j < count; ++j) sum += next(tile[j]);
    __syncthreads();
  }
  d[t] = sum;
}

// The same by a reference of the loop's own.
__global__ void own_reference(const Point *__restrict__ p, float *__restrict__ d, int n) {
  __shared__ Point tile[32];
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: partial-references.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (int base = 0; base < n; base += 32) {
    if (base + t < n) tile[t] = p[base + t];
    __syncthreads();
    const Point &first = tile[0];
    sum += first.x;
    sum += (&first)[31].y;
    __syncthreads();
  }
  d[t] = sum;
}

// One more than there are.
__global__ void one_more(const Point *__restrict__ p, float *__restrict__ d, int n) {
  __shared__ Point tile[32];
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: partial-references.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (int base = 0; base < n; base += 32) {
    if (base + t < n) tile[t] = p[base + t];
    __syncthreads();
    int count = min(31, n - base);
    for (int j = 0; j < count; ++j) {
      const Point &one = tile[j + 1];
      sum += one.x;
    }
    __syncthreads();
  }
  d[t] = sum;
}

// Not the lesser of both.
__global__ void other_arms(const Point *__restrict__ p, float *__restrict__ d, unsigned n) {
  __shared__ Point tile[32];
  unsigned t = threadIdx.x;
  float sum = 0;
  // CHECK: partial-references.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (unsigned base = 0; base < n; base += 32) {
    if (base + t < n) tile[t] = p[base + t];
    __syncthreads();
    unsigned count = n - base < 32u ? 32u : n - base;
    for (unsigned j = 0; j < count && j < 32u; ++j) sum += tile[j].x;
    __syncthreads();
  }
  d[t] = sum;
}

// The compute region writes.
__global__ void changed(const Point *__restrict__ p, float *__restrict__ d, int n) {
  __shared__ Point tile[32];
  int t = threadIdx.x;
  float sum = 0;
  // CHECK: partial-references.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (int base = 0; base < n; base += 32) {
    if (base + t < n) tile[t] = p[base + t];
    __syncthreads();
    if (base + t < n) sum += change(tile[t]);
    __syncthreads();
  }
  d[t] = sum;
}
