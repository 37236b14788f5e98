// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in dynamic shared memory of so many bytes a thread, in launches whose
// blocks are no constants: all sizes that a block can have are counted through.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>err | %code | FileCheck %s
// RUN: grep -c ': remark: pipelined .* 2 stages' err | grep -x 5
// RUN: %kpipe analyze a.cu --arch=sm_86 --kernel=dot 2>&1 | tr -s ' \n' ' ' | FileCheck %s --check-prefix=SAYS
// SAYS: dynamic shared memory hangs on the threads of a block; 1 to 1024 were counted with

#include <cuda_runtime.h>

// Some threads leave before, as a block need not be a multiple of four.
__global__ void coded(const long *__restrict__ in, long *__restrict__ out,
                      const unsigned *__restrict__ bits, int k, int size) {
  extern __shared__ long words[];
  const int w = 4, rest = blockDim.x / w * w;
  const int i = rest * blockIdx.x + threadIdx.x;
  if (threadIdx.x >= rest)
    return;
  if (i >= size)
    return;
  long result = 0;
  for (int t = 0; t < k; t++) {
    words[threadIdx.x] = in[t * size + i];
    __syncthreads();
    for (int j = 0; j < w; j++)
      if (bits[t * w + j] >> (threadIdx.x % w) & 1)
        result ^= words[threadIdx.x / w * w + j];
    __syncthreads();
  }
  out[i] = result;
}
void run_coded(const long *in, long *out, const unsigned *bits, int k, int size,
               int threads) {
  dim3 grid((size + threads / 4 * 4 - 1) / (threads / 4 * 4), 1, 1);
  dim3 block(threads, 1, 1);
  // CHECK: coded<<<grid, block, kpipe::staged_bytes<2>(threads * sizeof(long))>>>(
  coded<<<grid, block, threads * sizeof(long)>>>(in, out, bits, k, size);
}

// Two axes, each a variable.
__global__ void table(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  const int threads = blockDim.x * blockDim.y;
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < n; i += threads) {
    tile[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < threads; ++j)
      sum += tile[j] * float(j ^ t);
    __syncthreads();
  }
  y[t] = sum;
}
void run_table(const float *x, float *y, int n, unsigned columns, unsigned rows) {
  const dim3 block(columns, rows);
  const size_t bytes = columns * rows * sizeof(float);
  // CHECK: table<<<1, block, kpipe::staged_bytes<2>(bytes)>>>(
  table<<<1, block, bytes>>>(x, y, n);
}

// Parts of the block, by the block's own size.
__global__ void dot(const float *__restrict__ x, const float *__restrict__ y,
                    float *__restrict__ z, int n) {
  extern __shared__ float tiles[];
  float *a = tiles, *b = tiles + blockDim.x;
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    a[threadIdx.x] = x[i + threadIdx.x];
    b[threadIdx.x] = y[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += a[j] * b[(j + threadIdx.x) % blockDim.x];
    __syncthreads();
  }
  z[threadIdx.x] = sum;
}
void run_dot(const float *x, const float *y, float *z, int n, int threads) {
  dim3 block = threads;
  // CHECK: dot<<<1, block, kpipe::staged_bytes<2>(2 * block.x * sizeof(float))>>>(
  dot<<<1, block, 2 * block.x * sizeof(float)>>>(x, y, z, n);
}

// Of a template, by cudaLaunchKernel, with a halo of a constant size.
template <typename T>
__global__ void halo(const T *__restrict__ x, T *__restrict__ y, int n) {
  extern __shared__ unsigned char bytes[];
  T *tile = reinterpret_cast<T *>(bytes);
  T sum = 0;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    if (threadIdx.x < 4)
      tile[blockDim.x + threadIdx.x] = x[i + blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 5; ++j)
      sum += tile[threadIdx.x + j] * T(j + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <typename T> void run_halo(const T *x, T *y, int n, int wanted) {
  const int threads = wanted;
  const int bytes = (threads + 4) * sizeof(T);
  // CHECK: halo<T><<<1, threads, kpipe::staged_bytes<2>(bytes)>>>(
  halo<T><<<1, threads, bytes>>>(x, y, n);
}
void run_halos(const float *x, float *y, const double *u, double *v, int n, int threads) {
  run_halo(x, y, n, threads);
  run_halo(u, v, n, threads);
}

// A launch of a constant beside one that is none.
__global__ void both(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; ++j)
      sum += tile[j ^ (threadIdx.x & 1)] * float(j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_both(const float *x, float *y, int n, int threads) {
  // CHECK: both<<<1, 64, kpipe::staged_bytes<2>(1024)>>>(
  if (threads == 64)
    both<<<1, 64, 1024>>>(x, y, n);
  else
    // CHECK: both<<<1, threads, kpipe::staged_bytes<2>(sizeof(float) * threads)>>>(
    both<<<1, threads, sizeof(float) * threads>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(coded) {
  for (int threads : {32, 62, 128})
    for (int k : {0, 1, 2, 5}) {
      int size = threads / 4 * 6 / 4 * 4;
      auto x = in<long>("x", k * size), y = out<long>("y", size);
      auto bits = in<unsigned>("bits", 4 * k);
      run_coded(x, y, bits, k, size, threads);
    }
}
CASE(table) {
  for (int n : multiples(96)) {
    auto x = in<float>("x", n), y = out<float>("y", 96);
    run_table(x, y, n, 32, 3);
  }
}
CASE(dot) {
  for (int n : multiples(96)) {
    auto x = in<float>("x", n), y = in<float>("y", n), z = out<float>("z", 96);
    run_dot(x, y, z, n, 96);
  }
}
CASE(halo) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n + 4), y = out<float>("y", 64);
    auto u = in<double>("u", n + 4), v = out<double>("v", 64);
    run_halos(x, y, u, v, n, 64);
  }
}
CASE(both) {
  for (int threads : {32, 64, 128})
    for (int n : multiples(threads)) {
      auto x = in<float>("x", n), y = out<float>("y", threads);
      run_both(x, y, n, threads);
    }
}
#endif
