// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that are given a kernel and its bytes, and do more than to launch it:
// the kernel keeps one stage.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

#include <cuda_runtime.h>

#define ROW 64
#define BYTES (ROW * sizeof(float))
#define KERNEL(name)                                                           \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y, int n)

// Two counts, of which one is for large inputs.
// The function does something else with the bytes.
KERNEL(noted) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: handed-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and {{.*}}
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
template <typename Kernel, typename... Arguments>
void note_and_launch(Kernel kernel, dim3 grid, dim3 block, size_t bytes, Arguments... arguments) {
  most = bytes;
  kernel<<<grid, block, bytes>>>(arguments...);
}
void run_noted(const float *x, float *y, int n) { note_and_launch(noted, 1, ROW, BYTES, x, y, n); }

// It asks for some more.
KERNEL(with_more) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: handed-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and {{.*}}
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
template <typename Kernel, typename... Arguments>
void launch_with_more(Kernel kernel, dim3 grid, dim3 block, size_t bytes, Arguments... arguments) {
  kernel<<<grid, block, bytes + 128>>>(arguments...);
}
void run_with_more(const float *x, float *y, int n) { launch_with_more(with_more, 1, ROW, BYTES, x, y, n); }

// It launches the kernel a second time, with bytes of its own.
KERNEL(launched_twice) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: handed-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and {{.*}}
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
template <typename Kernel, typename... Arguments>
void launch_twice(Kernel kernel, dim3 grid, dim3 block, size_t bytes, Arguments... arguments) {
  kernel<<<grid, block, bytes>>>(arguments...);
  kernel<<<grid, block, 256>>>(arguments...);
}
void run_launched_twice(const float *x, float *y, int n) { launch_twice(launched_twice, 1, ROW, BYTES, x, y, n); }

// It keeps the kernel for others.
KERNEL(kept) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: handed-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and {{.*}}
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
extern void (*last)(const float *, float *, int);
void launch_and_keep(void (*kernel)(const float *, float *, int), size_t bytes, const float *x, float *y, int n) {
  kernel<<<1, ROW, bytes>>>(x, y, n);
  last = kernel;
}
void run_kept(const float *x, float *y, int n) { launch_and_keep(kept, BYTES, x, y, n); }

// It allows so many bytes and no more.
KERNEL(limited) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: handed-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and {{.*}}
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
template <typename Kernel, typename... Arguments>
void launch_limited(Kernel kernel, dim3 grid, dim3 block, size_t bytes, Arguments... arguments) {
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 256);
  kernel<<<grid, block, bytes>>>(arguments...);
}
void run_limited(const float *x, float *y, int n) { launch_limited(limited, 1, ROW, BYTES, x, y, n); }

// Another class may launch it otherwise.
KERNEL(of_any_object) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: handed-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and {{.*}}
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
struct Launcher {
  virtual void launch(void (*kernel)(const float *, float *, int), size_t bytes, const float *x, float *y, int n) {
    kernel<<<1, ROW, bytes>>>(x, y, n);
  }
};
void run_of_any_object(Launcher &on, const float *x, float *y, int n) { on.launch(of_any_object, BYTES, x, y, n); }

// Another pass reads another function.
KERNEL(hidden_text) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: handed-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and {{.*}}
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
template <typename Kernel, typename... Arguments>
void launch_hidden(Kernel kernel, dim3 grid, dim3 block, size_t bytes, Arguments... arguments) {
#ifndef __CUDA_ARCH__
  bytes = 256;
#endif
  kernel<<<grid, block, bytes>>>(arguments...);
}
void run_hidden_text(const float *x, float *y, int n) { launch_hidden(hidden_text, 1, ROW, BYTES, x, y, n); }
