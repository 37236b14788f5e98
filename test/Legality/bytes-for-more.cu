// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of a launch that are for something else as well, or whose type chooses
// what is called: they must not become more.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages' --implicit-check-not='may launch it as before'

#include <cuda_runtime.h>

#define ROW 64
#define KERNEL(name)                                                           \
  __global__ void name(const float *__restrict__ x, float *__restrict__ y, int n)

// The value of the assignment is a number of tiles, too.
KERNEL(value_used) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
void run_value_used(const float *x, float *y, int rows) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  size_t used;
  used = config.dynamicSmemBytes = rows * ROW * sizeof(float);
  cudaLaunchKernelEx(&config, value_used, x, y, int(used / sizeof(float)));
}

// It is asked whether that is too much.
KERNEL(value_tested) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
void run_value_tested(const float *x, float *y, int rows) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  if ((config.dynamicSmemBytes = rows * ROW * sizeof(float)) > 300)
    return;
  cudaLaunchKernelEx(&config, value_tested, x, y, rows);
}

// A macro has them twice.
KERNEL(given_twice) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
#define SET_UP(of, bytes)                                                      \
  of.dynamicSmemBytes = bytes;                                                 \
  used = bytes
void run_given_twice(const float *x, float *y, int rows) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  size_t used;
  SET_UP(config, rows * ROW * sizeof(float));
  cudaLaunchKernelEx(&config, given_twice, x, y, int(used / sizeof(float)));
}

// A function that has only its name from CUDA, and uses them otherwise.
KERNEL(of_their_own) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
namespace mine {
template <class K, class... A>
void cudaLaunchKernelEx(const cudaLaunchConfig_t *c, K k, A... a) {
  k<<<c->gridDim, c->blockDim, c->dynamicSmemBytes>>>(a..., int(c->dynamicSmemBytes / 4));
}
} // namespace mine
void run_of_their_own(const float *x, float *y, int rows) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = rows * ROW * sizeof(float);
  mine::cudaLaunchKernelEx(&config, of_their_own, x, y);
}

// Another function takes unsigned bytes.
KERNEL(overloaded) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
template <class K> void go(K k, int bytes, const float *x, float *y, int n) {
  k<<<1, ROW, bytes>>>(x, y, n);
}
template <class K> void go(K k, unsigned rows, const float *x, float *y, int n) {
  k<<<1, ROW, rows * ROW * sizeof(float)>>>(x, y, n);
}
void run_overloaded(const float *x, float *y, int rows) { go(overloaded, rows * ROW, x, y, rows); }

// The function asks for the type of its bytes.
KERNEL(of_any_type) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
template <class K, class B> void launch_by(K k, B bytes, const float *x, float *y, int n) {
  k<<<1, ROW, bytes>>>(x, y, B(-1) < B(0) ? n : n + ROW);
}
void run_of_any_type(const float *x, float *y, int rows) { launch_by(of_any_type, rows * ROW, x, y, rows); }

// A class that has one count, and its base another.
KERNEL(in_a_base) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
struct Derived : cudaLaunchConfig_t {
  size_t dynamicSmemBytes;
  Derived() : cudaLaunchConfig_t() {
    gridDim = 1;
    blockDim = ROW;
    cudaLaunchConfig_t::dynamicSmemBytes = ROW * sizeof(float);
  }
};
void run_in_a_base(const float *x, float *y, int rows) {
  Derived config;
  config.dynamicSmemBytes = rows * ROW * sizeof(float);
  cudaLaunchKernelEx(&config, in_a_base, x, y, rows);
}

// Where more than 48 KB would be allowed the name is another kernel's.
__global__ void other(const float *x, float *y, int n) { y[threadIdx.x] = x[n]; }
KERNEL(by_inner_name) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
void run_by_inner_name(const float *x, float *y, int rows) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  {
    auto by_inner_name = other;
    cudaFuncSetCacheConfig(by_inner_name, cudaFuncCachePreferShared);
    config.dynamicSmemBytes = rows * ROW * sizeof(float);
  }
  cudaLaunchKernelEx(&config, by_inner_name, x, y, rows);
}

// The name is there by a directive behind the bytes.
namespace app {
namespace inside {
KERNEL(by_directive) {
  extern __shared__ float row[];
  float acc = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer
  for (int k = 0; k < n; k += ROW) {
    row[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < ROW; ++j)
      acc += row[j] * float(j);
    __syncthreads();
  }
  y[threadIdx.x] = acc;
}
} // namespace inside
void run_by_directive(const float *x, float *y, int rows) {
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = ROW;
  config.dynamicSmemBytes = rows * ROW * sizeof(float);
  using namespace inside;
  cudaLaunchKernelEx(&config, by_directive, x, y, rows);
}
} // namespace app
