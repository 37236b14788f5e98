// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Configurations of cudaLaunchKernelEx whose bytes cannot be read: the kernel keeps
// one stage.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

#include <cuda_runtime.h>

#define ROW 64
#define BYTES (ROW * sizeof(float))
#define KERNEL(name)                                                           \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y, int n)

// Two counts, of which one is for large inputs.
KERNEL(set_twice) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void run_set_twice(const float *x, float *y, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
  if (n > 4096)
    config.dynamicSmemBytes = 2 * BYTES;
  cudaLaunchKernelEx(&config, set_twice, x, y, n);
}

// More is added to it.
KERNEL(added) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void run_added(const float *x, float *y, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
  config.dynamicSmemBytes += 64;
  cudaLaunchKernelEx(&config, added, x, y, n);
}

// Another function finishes it.
KERNEL(finished_elsewhere) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void finish(cudaLaunchConfig_t *config);
void run_finished_elsewhere(const float *x, float *y, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
  finish(&config);
  cudaLaunchKernelEx(&config, finished_elsewhere, x, y, n);
}

// It comes from somebody.
KERNEL(given) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void run_given(const cudaLaunchConfig_t *config, const float *x, float *y, int n) {
  cudaLaunchKernelEx(config, given, x, y, n);
}

// It is a copy.
KERNEL(copied) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void run_copied(cudaLaunchConfig_t of, const float *x, float *y, int n) {
  cudaLaunchConfig_t config = of;
  config.dynamicSmemBytes = BYTES;
  cudaLaunchConfig_t other = config;
  other.gridDim = 2;
  cudaLaunchKernelEx(&other, copied, x, y, n);
}

// One configuration, two kernels.
KERNEL(beside) { y[threadIdx.x] = x[n]; }

// The other one looks at its bytes.
KERNEL(shared_config) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void run_shared_config(const float *x, float *y, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
  cudaLaunchKernelEx(&config, beside, x, y, n);
  cudaLaunchKernelEx(&config, shared_config, x, y, n);
}

// The whole grid has to be resident.
KERNEL(all_at_once) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and the launch in line {{[0-9]+}} is cooperative
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
void run_all_at_once(const float *x, float *y, int n) {
  cudaLaunchAttribute attributes[1];
  attributes[0].id = cudaLaunchAttributeCooperative;
  attributes[0].val.cooperative = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
  config.attrs = attributes;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, all_at_once, x, y, n);
}

// Who knows which attributes.
KERNEL(unknown_attributes) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void run_unknown_attributes(cudaLaunchAttribute *attributes, const float *x, float *y, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
  config.attrs = attributes;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, unknown_attributes, x, y, n);
}

// Another pass sets it again.
KERNEL(of_other_pass) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void run_of_other_pass(const float *x, float *y, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
#ifndef __CUDA_ARCH__
  config.dynamicSmemBytes = BYTES;
#endif
  cudaLaunchKernelEx(&config, of_other_pass, x, y, n);
}

// The variable that holds the kernel is given to somebody as well.
KERNEL(given_on) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
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
void warm_up(void (*kernel)(const float *, float *, int));
void run_given_on(const float *x, float *y, int n) {
  auto kernel = given_on;
  warm_up(kernel);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = BYTES;
  cudaLaunchKernelEx(&config, kernel, x, y, n);
}

// A macro sets them, of its own text.
KERNEL(set_by_macro) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: single buffer, because its tiles are in dynamic shared memory, of which every launch has to ask for more, and the kernel is named outside its launches in line {{[0-9]+}}
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
#define SET_BYTES(of) of.dynamicSmemBytes = 256
void run_set_by_macro(const float *x, float *y, int n) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  SET_BYTES(config);
  cudaLaunchKernelEx(&config, set_by_macro, x, y, n);
}

// Two launches, one of more than 48 KB: what the last configuration allows may be
// less than what the first one is launched with.
__global__ void __launch_bounds__(256)
large(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float4 tile[];
  float sum = 0.0f;
  // CHECK: configured-launches.cu:[[#@LINE+2]]:3: remark: pipelined K-loop: single buffer
  // CHECK: note: {{.*}}the launch in line {{[0-9]+}} is configured apart from it
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
  cudaLaunchConfig_t first = {}, second = {};
  first.gridDim = second.gridDim = 1;
  first.blockDim = second.blockDim = 256;
  first.dynamicSmemBytes = 3072 * sizeof(float4);
  second.dynamicSmemBytes = 2048 * sizeof(float4);
  cudaLaunchKernelEx(&first, large, x, y, n);
  cudaLaunchKernelEx(&second, large, x, y, n);
}
