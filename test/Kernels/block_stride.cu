// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies in strides of a block: each part of a tile needs its condition unless
// the launch bound says that the block's last thread is below it.
// REQUIRES: executor
// RUN: %variants --at-least=9 %s
// RUN: %kpipe rewrite %s --arch=sm_75 -o %t.cu
// RUN: %code %t.cu | FileCheck %s

constexpr int T = 64, Rows = 4, Odd = 5 * T / 2;

// Differs between threads, so that a mixed-up element shows.
__device__ float weight(int j) { return float(threadIdx.x ^ j); }

// All threads run all parts.
__global__ void __launch_bounds__(T)
    whole(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Rows * T];
  const int tid = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += Rows * T) {
    for (int j = tid; j < Rows * T; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < Rows * T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}whole(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *xs_reg.*}} = x[

// The last part is only half as long as a block.
__global__ void __launch_bounds__(T)
    last(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Odd];
  float sum = 0;
  for (int i = 0; i < n; i += Odd) {
    for (int j = threadIdx.x; j < Odd; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < Odd; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}last(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *if [(]part.*}} < Odd / T || j < Odd)

// Several elements a thread: the last thread begins four below the step.
__global__ void __launch_bounds__(T)
    vectors(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[1024];
  float sum = 0;
  for (int i = 0; i < n; i += 1024) {
    for (int j = threadIdx.x * 4; j < 1024; j += 256) {
      xs[j] = x[i + j];
      xs[j + 1] = x[i + j + 1];
      xs[j + 2] = x[i + j + 2];
      xs[j + 3] = x[i + j + 3];
    }
    __syncthreads();
    for (int j = 0; j < 1024; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}vectors(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *xs_reg.*}} = x[

// The bound allows blocks whose last thread is beyond the first part.
__global__ void __launch_bounds__(4 * T)
    smaller_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Odd];
  float sum = 0;
  for (int i = 0; i < n; i += Odd) {
    for (int j = threadIdx.x; j < Odd; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < Odd; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}smaller_block(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *}}if (j < Odd)

// The block's last thread begins where the second part does.
__global__ void __launch_bounds__(T)
    shifted(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Rows * T];
  float sum = 0;
  for (int i = 0; i < n; i += Rows * T) {
    for (int j = threadIdx.x + 1; j < Rows * T; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 1; j < Rows * T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}shifted(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *}}if (j < Rows * T)

// No bound: a launch elsewhere may have more threads than the one here.
__global__ void unbounded(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[Rows * T];
  float sum = 0;
  for (int i = 0; i < n; i += Rows * T) {
    for (int j = threadIdx.x; j < Rows * T; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < Rows * T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}unbounded(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *}}if (j < Rows * T)

// A block of one column would have indices up to 63 * 8.
__global__ void __launch_bounds__(T)
    two_axes(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Rows * T];
  const int tid = threadIdx.y * 8 + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += Rows * T) {
    for (int j = tid; j < Rows * T; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < Rows * T; ++j)
      sum += xs[j] * float(tid ^ j);
    __syncthreads();
  }
  y[tid] = sum;
}
// CHECK-LABEL: {{^.* }}two_axes(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *}}if (j < Rows * T)

// One text for two sizes: what one of them needs stands there for both.
template <int Size, int Block>
__global__ void __launch_bounds__(Block)
    sized(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Size];
  float sum = 0;
  for (int i = 0; i < n; i += Size) {
    for (int j = threadIdx.x; j < Size; j += Block)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < Size; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}sized(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *if [(]part.*}} < Size / Block || j < Size)

// In one instantiation the bound is twice the step.
template <int Block>
__global__ void __launch_bounds__(Block)
    blocks(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[Rows * T];
  float sum = 0;
  for (int i = 0; i < n; i += Rows * T) {
    for (int j = threadIdx.x; j < Rows * T; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < Rows * T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: {{^.* }}blocks(const float *
// CHECK: {{^ .*}} += {{T|256|Block}}, ++
// CHECK-NEXT: {{^ *}}if (j < Rows * T)

template __global__ void sized<Rows * T, T>(const float *, float *, int);
template __global__ void sized<Odd, T>(const float *, float *, int);
template __global__ void blocks<T>(const float *, float *, int);
template __global__ void blocks<2 * T>(const float *, float *, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
#define RUN(NAME, KERNEL, TILE, BLOCK)                                         \
  CASE(NAME) {                                                                 \
    for (int n : multiples(TILE)) {                                            \
      auto x = in<float>("x", n), y = out<float>("y", 2 * T);                  \
      launch({1, BLOCK}, KERNEL, x, y, n);                                     \
    }                                                                          \
  }
using Sum = void (*)(const float *, float *, int);
constexpr Sum sized_whole = sized<Rows * T, T>, sized_odd = sized<Odd, T>;
constexpr Sum one_block = blocks<T>;
const dim3 Square(8, 8);
RUN(whole, whole, Rows *T, T)
RUN(last, last, Odd, T)
RUN(vectors, vectors, 1024, T)
RUN(smaller_block, smaller_block, Odd, T)
RUN(shifted, shifted, Rows *T, T)
RUN(unbounded, unbounded, Rows *T, T)
RUN(two_axes, two_axes, Rows *T, Square)
RUN(sized_whole, sized_whole, Rows *T, T)
RUN(sized_odd, sized_odd, Odd, T)
RUN(blocks, one_block, Rows *T, T)
#endif
