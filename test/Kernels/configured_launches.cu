// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by cudaLaunchKernelEx, and by functions of the author's that are
// given the kernel and its bytes: all ask for the bytes of all stages.
// REQUIRES: executor
// RUN: %variants --at-least=10 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 10
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 --allow-occupancy-drop 2>/dev/null | %code | FileCheck %s

#include <cuda_runtime.h>

#define ROW 64
#define KERNEL(name)                                                           \
  __global__ void __launch_bounds__(ROW)                                       \
      name(const float *__restrict__ x, float *__restrict__ y, int n)

KERNEL(by_members) {
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
void run_by_members(const float *x, float *y, int n, cudaStream_t stream) {
  const size_t bytes = ROW * sizeof(float);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = ROW;
  // CHECK: config.dynamicSmemBytes = kpipe::staged_bytes<2>(bytes);
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  // CHECK: cudaLaunchKernelEx(&config, by_members, x, y, n);
  cudaLaunchKernelEx(&config, by_members, x, y, n);
}

KERNEL(by_list) {
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
#define ROW_BYTES (ROW * sizeof(float))
void run_by_list(const float *x, float *y, int n, cudaStream_t stream) {
  // CHECK: cudaLaunchConfig_t config{dim3(1), dim3(ROW), kpipe::staged_bytes<2>(ROW_BYTES), stream};
  cudaLaunchConfig_t config{dim3(1), dim3(ROW), ROW_BYTES, stream};
  const cudaError_t failed = cudaLaunchKernelEx(&config, by_list, x, y, n);
  (void)failed;
}

// An attribute, and a template whose bytes are what it is made for.
template <int N>
__global__ void __launch_bounds__(N)
with_attributes(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float row[];
  float acc = 0;
  for (int k = 0; k < n; k += N) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      acc += row[j ^ (threadIdx.x & 7)] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
template <int N> void run_with_attributes(const float *x, float *y, int n) {
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1, 1, 1);
  config.blockDim = dim3(N, 1, 1);
  config.attrs = attributes;
  config.numAttrs = 1;
  // CHECK: config.dynamicSmemBytes = kpipe::staged_bytes<2>(N * sizeof(float));
  config.dynamicSmemBytes = N * sizeof(float);
  cudaLaunchKernelEx(&config, with_attributes<N>, x, y, n);
}
void run_both_sizes(const float *x, float *y, int n) {
  run_with_attributes<32>(x, y, n);
  run_with_attributes<64>(x, y, n);
}

// More than 48 KB, which the host allows.
__global__ void __launch_bounds__(256)
large(const float4 *__restrict__ x, float *__restrict__ y, int n) {
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
void run_large(const float4 *x, float *y, int n) {
  const int bytes = 2048 * sizeof(float4);
  // CHECK: cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, kpipe::staged_bytes<2>(bytes));
  cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 256;
  // CHECK: config.dynamicSmemBytes = kpipe::opt_in_shared(large, kpipe::staged_bytes<2>(bytes));
  config.dynamicSmemBytes = bytes;
  cudaLaunchKernelEx(&config, large, x, y, n);
}

// A variable holds the kernel, and all that is said of it.
template <int N>
__global__ void __launch_bounds__(N)
held(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float row[];
  float acc = 0;
  for (int k = 0; k < n; k += N) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      acc += row[j ^ (threadIdx.x & 7)] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
void run_held(const float *x, float *y, int n) {
  constexpr int N = 64;
  auto kernel = held<N>;
  const size_t bytes = N * sizeof(float);
  // CHECK: cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kpipe::staged_bytes<2>(bytes));
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = N;
  // CHECK: config.dynamicSmemBytes = kpipe::opt_in_shared(kernel, kpipe::staged_bytes<2>(bytes));
  config.dynamicSmemBytes = bytes;
  cudaLaunchKernelEx(&config, kernel, x, y, n);
}

// One configuration, two launches, of bytes that only the run knows.
KERNEL(two_halves) {
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
void run_two_halves(const float *x, float *y, int n, int rows) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(ROW);
  // CHECK: config.dynamicSmemBytes = kpipe::opt_in_shared(two_halves, kpipe::staged_bytes<2>(rows * ROW_BYTES));
  config.dynamicSmemBytes = rows * ROW_BYTES;
  if (cudaLaunchKernelEx(&config, two_halves, x, y, n) != cudaSuccess)
    return;
  cudaLaunchKernelEx(&config, two_halves, x + n, y + ROW, n);
}

// A function of the project's.
template <typename Kernel, typename... Arguments>
void launch_rows(Kernel kernel, dim3 grid, dim3 block, size_t bytes, Arguments... arguments) {
  // CHECK: kernel<<<grid, block, bytes>>>(arguments...);
  kernel<<<grid, block, bytes>>>(arguments...);
}
KERNEL(by_function) {
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
KERNEL(also_by_function) {
  extern __shared__ float row[];
  float acc = 1;
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j ^ (threadIdx.x & 7)] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
void run_by_function(const float *x, float *y, int n) {
  // CHECK: launch_rows(by_function, dim3(1), dim3(ROW), kpipe::staged_bytes<2>(ROW * sizeof(float)), x, y, n);
  launch_rows(by_function, dim3(1), dim3(ROW), ROW * sizeof(float), x, y, n);
}
void run_also_by_function(const float *x, float *y, int n) {
  // CHECK: launch_rows(also_by_function, 1, ROW, kpipe::staged_bytes<2>(ROW_BYTES), x, y, n);
  launch_rows(also_by_function, 1, ROW, ROW_BYTES, x, y, n);
}

// One that allows the bytes and configures the launch.
struct Stream {
  cudaStream_t stream;
  template <typename... Parameters, typename... Arguments>
  cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, int bytes,
                     Arguments... arguments) const {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    cudaLaunchConfig_t config;
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = bytes;
    config.stream = stream;
    config.attrs = nullptr;
    config.numAttrs = 0;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
  }
};
KERNEL(by_object) {
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
void run_by_object(const float *x, float *y, int n, Stream on) {
  // CHECK: on.launch(by_object, 1, ROW, kpipe::staged_bytes<2>(ROW_BYTES), x, y, n);
  on.launch(by_object, 1, ROW, ROW_BYTES, x, y, n);
}

// No template, and many launches, one by its own.
void launch_row(void (*kernel)(const float *, float *, int), int blocks, int bytes, const float *x,
                float *y, int n) {
  kernel<<<blocks, ROW, bytes>>>(x, y, n);
}
KERNEL(by_pointer) {
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
void run_by_pointer(const float *x, float *y, int n) {
  // CHECK: launch_row(by_pointer, 1, kpipe::staged_bytes<2>(ROW_BYTES), x, y, n);
  launch_row(by_pointer, 1, ROW_BYTES, x, y, n);
  // CHECK: launch_row(&by_pointer, 1, kpipe::staged_bytes<2>(2 * ROW_BYTES), x, y, n);
  launch_row(&by_pointer, 1, 2 * ROW_BYTES, x, y, n);
  // CHECK: by_pointer<<<1, ROW, kpipe::staged_bytes<2>(ROW_BYTES)>>>(x, y, n);
  by_pointer<<<1, ROW, ROW_BYTES>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class Run> static void rows(Run run) {
  for (int n : multiples(ROW)) {
    auto x = in<float>("x", n), y = out<float>("y", ROW);
    run(x, y, n);
  }
}
CASE(by_members) {
  rows([](const float *x, float *y, int n) { run_by_members(x, y, n, 0); });
}
CASE(by_list) {
  rows([](const float *x, float *y, int n) { run_by_list(x, y, n, 0); });
}
CASE(with_attributes) { rows(run_both_sizes); }
CASE(large) {
  for (int n : multiples(2048)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", 256);
    run_large(x.as<float4>(), y, n);
  }
}
CASE(held) { rows(run_held); }
CASE(two_halves) {
  for (int n : multiples(ROW)) {
    auto x = in<float>("x", 2 * n), y = out<float>("y", 2 * ROW);
    run_two_halves(x, y, n, 1);
  }
}
CASE(by_function) { rows(run_by_function); }
CASE(also_by_function) { rows(run_also_by_function); }
CASE(by_object) {
  rows([](const float *x, float *y, int n) { run_by_object(x, y, n, Stream{0}); });
}
CASE(by_pointer) { rows(run_by_pointer); }
#endif
