// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops that stride by blockDim are counted for the one block that all
// launches ask for. Who is handed a kernel may launch it with another; who asks
// what it takes, or sets something, does not.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --block=64 %s 2>&1 | FileCheck %s --check-prefix=TOLD
// TOLD-COUNT-5: remark: pipelined K-loop: 2 stages of xs, registers

#include <cuda_runtime.h>

__global__ void launched(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[256];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs, registers
  for (int t = 0; t < n; t += 256) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
      xs[i] = x[t + i] * 2;
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void asked(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[256];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: remark: pipelined K-loop: 2 stages of xs, registers
  for (int t = 0; t < n; t += 256) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
      xs[i] = x[t + i] * 2;
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void given(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[256];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim
  for (int t = 0; t < n; t += 256) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
      xs[i] = x[t + i] * 2;
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void kept(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[256];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim
  for (int t = 0; t < n; t += 256) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
      xs[i] = x[t + i] * 2;
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void node(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[256];
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies depends on blockDim
  for (int t = 0; t < n; t += 256) {
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
      xs[i] = x[t + i] * 2;
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

using Kernel = void (*)(const float *, float *, int);
struct Node {
  void *func;
  dim3 block;
};
void run(Kernel k, const float *x, float *y, int threads);
void add(const Node &node);
const Kernel All[] = {kept};

void launch(const float *x, float *y) {
  launched<<<1, 64>>>(x, y, 256);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked, 64, 0);
  cudaFuncSetCacheConfig(asked, cudaFuncCachePreferShared);
  asked<<<blocks, 64>>>(x, y, 256);
  given<<<1, 64>>>(x, y, 256);
  run(given, x, y, 32);
  kept<<<1, 64>>>(x, y, 256);
  node<<<1, 64>>>(x, y, 256);
  add({(void *)node, 32});
}
