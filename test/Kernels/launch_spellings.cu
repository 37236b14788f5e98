// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that macros make, of their own text or of what they are given, and
// questions how many blocks fit: all ask for the bytes of all stages.
// REQUIRES: executor
// RUN: %variants --at-least=5 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 5
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --allow-occupancy-drop 2>/dev/null | %code | FileCheck %s

#include <cuda_runtime.h>

template <int N>
__global__ void in_text(const float *__restrict__ A,
                        const float *__restrict__ B, float *__restrict__ C,
                        int K) {
  extern __shared__ float smem[];
  float *As = smem, *Bs = smem + N * N;
  int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int k = 0; k < K; k += N) {
    As[ty * N + tx] = A[ty * K + k + tx];
    Bs[ty * N + tx] = B[(k + ty) * N + tx];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      acc += As[ty * N + j] * Bs[j * N + tx];
    __syncthreads();
  }
  C[ty * N + tx] = acc;
}

// The macro's own text: its parameters are parts of it.
// CHECK: #define LAUNCH(N) in_text<N><<<1, dim3(N, N), kpipe::staged_bytes<2>(2 * N * N * sizeof(float)), stream>>>(A, B, C, K)
#define LAUNCH(N) in_text<N><<<1, dim3(N, N), 2 * N * N * sizeof(float), stream>>>(A, B, C, K)
void run_in_text(const float *A, const float *B, float *C, int K, int n,
                 cudaStream_t stream) {
  if (n == 8)
    LAUNCH(8);
  else
    LAUNCH(16);
}

#define ROW 64
#define BYTES_OF(rows) ((rows) * ROW * sizeof(float))
__global__ void __launch_bounds__(ROW)
in_lines(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float row[];
  float acc = 0;
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j ^ (threadIdx.x & 7)] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
// Several lines, and the bytes are another macro's.
// CHECK: in_lines<<<ones, ROW, kpipe::staged_bytes<2>(BYTES_OF(1))>>>(x, y, n);
#define RUN_ROWS(what)                                                         \
  do {                                                                         \
    const int ones = 1;                                                        \
    in_lines<<<ones, ROW, BYTES_OF(1)>>>(x, y, n);                             \
    (void)#what;                                                               \
  } while (0)
void run_in_lines(const float *x, float *y, int n) { RUN_ROWS(all); }

__global__ void __launch_bounds__(ROW)
given(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float mine[];
  float acc = 0;
  for (int k = 0; k < n; k += ROW) {
    mine[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += mine[j ^ (threadIdx.x & 7)] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
#define KERNEL_LAUNCH(kernel, grid, block, bytes, ...)                         \
  do {                                                                         \
    (kernel)<<<(grid), block, bytes>>>(__VA_ARGS__);                           \
  } while (0)
void run_given(const float *x, float *y, int n) {
  const size_t bytes = ROW * sizeof(float);
  // CHECK: {{^}}  KERNEL_LAUNCH(given, 1, ROW, kpipe::staged_bytes<2>(bytes), x, y, n);
  KERNEL_LAUNCH(given, 1, ROW, bytes, x, y, n);
}

// How many blocks of it fit on the device?
__global__ void __launch_bounds__(ROW)
asked(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float ours[];
  float acc = 0;
  for (int k = 0; k < n; k += ROW) {
    ours[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += ours[j ^ (threadIdx.x & 7)] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
int blocks_of_asked() {
  int blocks = 0;
#ifndef KPIPE_HARNESS
  // CHECK: cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked, ROW, kpipe::staged_bytes<2>(ROW * sizeof(float)));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked, ROW, ROW * sizeof(float));
#endif
  return blocks;
}
void run_asked(const float *x, float *y, int n) {
  asked<<<1, ROW, ROW * sizeof(float)>>>(x, y, n);
}

// More than 48 KB.
__global__ void __launch_bounds__(256)
asked_large(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float4 tile[];
  float sum = 0.0f;
  for (int i = 0; i < n; i += 2048) {
    for (int j = 0; j < 2048; j += 256)
      tile[j + threadIdx.x] = x[i + j + threadIdx.x];
    __syncthreads();
    for (int j = threadIdx.x; j < 2048 + threadIdx.x; j += 128)
      sum += tile[j % 2048].z;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
int blocks_of_large(size_t count) {
  int blocks = 0;
#ifndef KPIPE_HARNESS
  // CHECK: cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked_large, 256, kpipe::opt_in_shared(asked_large, kpipe::staged_bytes<2>(2048 * sizeof(float4))));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked_large, 256, 2048 * sizeof(float4));
#endif
  return blocks;
}
void run_large(const float4 *x, float *y, int n) {
  // CHECK: asked_large<<<1, 256, kpipe::opt_in_shared(asked_large, kpipe::staged_bytes<2>(2048 * sizeof(float4)))>>>
  asked_large<<<1, 256, 2048 * sizeof(float4)>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(in_text) {
  for (int n : {8, 16})
    for (int k : multiples(16)) {
      auto a = in<float>("A", n * k), b = in<float>("B", k * n);
      auto c = out<float>("C", n * n);
      run_in_text(a, b, c, k, n, 0);
    }
}
template <class Run> static void rows(Run run) {
  for (int n : multiples(ROW)) {
    auto x = in<float>("x", n), y = out<float>("y", ROW);
    run(x, y, n);
  }
}
CASE(in_lines) { rows(run_in_lines); }
CASE(given) { rows(run_given); }
CASE(asked) { rows(run_asked); }
CASE(asked_large) {
  for (int n : multiples(2048)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", 256);
    run_large(x.as<float4>(), y, n);
  }
}
#endif
