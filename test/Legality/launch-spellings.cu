// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by macros whose text cannot ask for more, or asks for something else
// as well, and questions about other bytes than those that are launched. Where
// only the finished edits tell, one stage is left.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

#include <cuda_runtime.h>

#define ROW 64
#define KERNEL(name)                                                           \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y, int n)

// Its name is pasted together.
KERNEL(row_sum) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and the launch in line {{[0-9]+}} is in a macro
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
#define PASTED(what) row_##what<<<1, ROW, ROW * sizeof(float)>>>(x, y, n)
void run_pasted(const float *x, float *y, int n) { PASTED(sum); }

// The macro launches two kernels by the same text.
KERNEL(first) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
namespace other {
KERNEL(first) { y[threadIdx.x] = x[n]; }
} // namespace other
#define FIRST() first<<<1, ROW, ROW * sizeof(float)>>>(x, y, n)
void run_first(const float *x, float *y, int n) { FIRST(); }
namespace other {
void run_first(const float *x, float *y, int n) { FIRST(); }
} // namespace other

// What the macro is given is used for something else, too.
KERNEL(noted) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
extern size_t most;
#define NOTE(kernel, bytes)                                                    \
  do {                                                                         \
    most = bytes;                                                              \
    kernel<<<1, ROW, bytes>>>(x, y, n);                                        \
  } while (0)
void run_noted(const float *x, float *y, int n) { NOTE(noted, ROW * sizeof(float)); }

// The bytes come with the block.
KERNEL(together) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
#define SHAPE ROW, ROW * sizeof(float)
#define TOGETHER() together<<<1, SHAPE>>>(x, y, n)
void run_together(const float *x, float *y, int n) { TOGETHER(); }

// The whole launch is given to a macro of the macro.
KERNEL(wrapped) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
#define CHECKED(...) __VA_ARGS__
#define WRAPPED() CHECKED(wrapped<<<1, ROW, ROW * sizeof(float)>>>(x, y, n))
void run_wrapped(const float *x, float *y, int n) { WRAPPED(); }

// Other bytes are asked about than are launched.
KERNEL(asked) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, {{.*}} and the kernel is named outside its launches in line
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
int run_asked(const float *x, float *y, int n, size_t bytes) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, asked, ROW, 0);
  asked<<<1, ROW, ROW * sizeof(float)>>>(x, y, n);
  return blocks;
}

// A count that changes in between.
KERNEL(changed) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
int run_changed(const float *x, float *y, int n, size_t bytes) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, changed, ROW, bytes);
  bytes += ROW * sizeof(float);
  changed<<<1, ROW, bytes>>>(x, y, n);
  return blocks;
}

// All blocks have to run at once, whatever fits.
KERNEL(cooperative) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: launch-spellings.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
void run_cooperative(const float *x, float *y, int n) {
  int blocks = 0;
  size_t bytes = ROW * sizeof(float);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, cooperative, ROW, bytes);
  void *arguments[] = {&x, &y, &n};
  cudaLaunchCooperativeKernel((const void *)cooperative, dim3(blocks), dim3(ROW), arguments, bytes, 0);
}
