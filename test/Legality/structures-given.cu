// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure that the loop's function is given, which cannot get stages: a
// single buffer stays.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

struct Tiles {
  float x[64];
};

// The kernel reads it behind the call.
__device__ float first(Tiles &s, const float *__restrict__ x, int n) {
  float sum = 0;
  // CHECK: structures-given.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of s
  for (int k = 0; k < n; k += 64) {
    s.x[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += s.x[i];
    __syncthreads();
  }
  return sum;
}
__global__ void used_beside(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Tiles tiles;
  float sum = first(tiles, x, n);
  y[threadIdx.x] = sum + tiles.x[63 - threadIdx.x];
}

// It is a part of a larger one.
struct Both { Tiles tiles; float more[64]; };
__device__ float second(Tiles &s, const float *__restrict__ x, int n) {
  float sum = 0;
  // CHECK: structures-given.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of s
  for (int k = 0; k < n; k += 64) {
    s.x[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += s.x[i];
    __syncthreads();
  }
  return sum;
}
__global__ void a_part(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Both both;
  y[threadIdx.x] = second(both.tiles, x, n);
}

// One of several.
__device__ float third(Tiles &s, const float *__restrict__ x, int n) {
  float sum = 0;
  // CHECK: structures-given.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of s
  for (int k = 0; k < n; k += 64) {
    s.x[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += s.x[i];
    __syncthreads();
  }
  return sum;
}
__global__ void an_element(const float *__restrict__ x, float *__restrict__ y, int n, int which) {
  __shared__ Tiles several[2];
  y[threadIdx.x] = third(several[which], x, n);
}

// The last tile reads what the one before it left.
__device__ float fourth(Tiles &s, const float *__restrict__ x, int n) {
  float sum = 0;
  // CHECK: structures-given.cu:[[#@LINE+1]]:3: {{warning: not pipelined|remark: pipelined K-loop: single buffer of s}}
  for (int k = 0; k < n; k += 64) {
    if (k + threadIdx.x < n) s.x[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) sum += s.x[i];
    __syncthreads();
  }
  return sum;
}
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Tiles tiles;
  y[threadIdx.x] = fourth(tiles, x, n);
}
