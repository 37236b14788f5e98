// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in __device__ functions whose tiles are dynamic shared memory: the one
// kernel that runs them is launched with the bytes of all stages.
// REQUIRES: executor
// RUN: %variants --at-least=4 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite %s --arch=sm_86 --allow-occupancy-drop -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not="single buffer"
// SAYS-COUNT-4: remark: pipelined K-loop: 2 stages of
// RUN: %code %t.cu | FileCheck %s

#include <cuda_runtime.h>

constexpr int T = 64;

// As it is written everywhere: the function's own extern array.
__device__ float sumOf(const float *__restrict__ x, int n) {
  extern __shared__ float smem[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    smem[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += smem[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  return sum;
}
__global__ void called(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = sumOf(x, n);
}
// CHECK-LABEL: run_called(
// CHECK: called<<<1, T, kpipe::staged_bytes<2>(T * sizeof(float))>>>
void run_called(const float *x, float *y, int n) {
  called<<<1, T, T * sizeof(float)>>>(x, y, n);
}

// Called twice, by a function between.
__device__ float oneOf(const float *__restrict__ x, int n) {
  extern __shared__ float4 quads[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    quads[threadIdx.x] = reinterpret_cast<const float4 *>(x)[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum = sum * 0.5f + quads[j].x + quads[j].y * quads[j].z - quads[j].w;
    __syncthreads();
  }
  return sum;
}
static __device__ float bothOf(const float *__restrict__ x, int n) {
  const float first = oneOf(x, n);
  return first - oneOf(x + 4 * n, n);
}
__global__ void between(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = n % 3 ? bothOf(x, n) * 2 : bothOf(x, n);
}
// CHECK-LABEL: run_between(
// CHECK: between<<<1, T, kpipe::staged_bytes<2>(T * sizeof(float4))>>>
void run_between(const float *x, float *y, int n) {
  between<<<1, T, T * sizeof(float4)>>>(x, y, n);
}

// A class that gives the memory out, in a template of which there are two.
template <class V> struct Shared {
  __device__ operator V *() {
    extern __shared__ int bytes[];
    return (V *)bytes;
  }
};
template <class V>
__device__ V accumulate(const V *__restrict__ from, int tiles) {
  V *tile = Shared<V>();
  V sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] = from[t * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < blockDim.x; ++j)
      sum += tile[j] * V(threadIdx.x + j);
    __syncthreads();
  }
  return sum;
}
template <class V>
__global__ void typed(const V *__restrict__ x, V *__restrict__ y, int n) {
  const V sum = accumulate<V>(x, n / blockDim.x);
  if (threadIdx.x % 2)
    y[threadIdx.x] = sum;
}
// CHECK-LABEL: run_typed(
// CHECK: typed<V><<<1, block, kpipe::staged_bytes<2>(bytes)>>>
template <class V> void run_typed(const V *x, V *y, int n, int block) {
  const int bytes = block * sizeof(V);
  typed<V><<<1, block, bytes>>>(x, y, n);
}
template void run_typed(const float *, float *, int, int);
template void run_typed(const double *, double *, int, int);

// One function, and the instances of one kernel.
__device__ float add(float sum, const float *__restrict__ x, int n, int by) {
  extern __shared__ float own[];
  float *front = own, *back = own + T;
  for (int i = 0; i < n; i += 2 * T) {
    front[threadIdx.x] = x[i + threadIdx.x];
    back[threadIdx.x] = x[i + T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += front[j] * by - back[(j * by) % T];
    __syncthreads();
  }
  return sum;
}
template <int By>
__global__ void instances(const float *__restrict__ x, float *__restrict__ y, int n) {
  y[threadIdx.x] = add(By, x, n, By);
}
// CHECK-LABEL: run_instances(
// CHECK: instances<1><<<1, T, kpipe::staged_bytes<2>(8 * T)>>>
// CHECK: instances<3><<<1, T, kpipe::staged_bytes<2>(8 * T)>>>
void run_instances(const float *x, float *y, int n) {
  instances<1><<<1, T, 8 * T>>>(x, y, n);
  instances<3><<<1, T, 8 * T>>>(x, y + T, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(called) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    run_called(x, y, n);
  }
}
CASE(between) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 8 * n), y = out<float>("y", T);
    run_between(x, y, n);
  }
}
CASE(typed) {
  for (int n : multiples(32)) {
    auto x = in<float>("x", n), y = out<float>("y", 32);
    run_typed<float>(x, y, n, 32);
    auto u = in<double>("u", n), v = out<double>("v", 32);
    run_typed<double>(u, v, n, 32);
  }
}
CASE(instances) {
  for (int n : multiples(2 * T)) {
    auto x = in<float>("x", n), y = out<float>("y", 2 * T);
    run_instances(x, y, n);
  }
}
#endif
