// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters that the halves of a load do without, and those that a clone keeps
// although its body has no use for them.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_86 --variant=ldg -o %t.cu
// RUN: %code %t.cu | FileCheck %s

constexpr int T = 32;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

// Nothing else asks for the rest.
__device__ void plain(float *to, const float *from, int at, float by) {
  to[threadIdx.x] = from[at + threadIdx.x] * by;
}
KERNEL(halves) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    plain(xs, x, k, 2.0f);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The type of the last one is found by the argument.
template <typename Tag>
__device__ void deduced(float *to, const float *from, int at, Tag) {
  to[threadIdx.x] = from[at + threadIdx.x] * sizeof(Tag);
}
KERNEL(by_argument) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    deduced(xs, x, k, 2.0);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Here it is spelled.
template <typename Tag>
__device__ void spelled(float *to, const float *from, int at, Tag) {
  to[threadIdx.x] = from[at + threadIdx.x] * sizeof(Tag);
}
KERNEL(by_name) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    spelled<short>(xs, x, k, 3);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A macro names them.
#define FROM from[at + threadIdx.x]
__device__ void hidden(float *to, const float *from, int at) {
  to[threadIdx.x] = FROM + 1;
}
KERNEL(in_macro) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    hidden(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is said of them may be said of all.
__device__ void said(float *to, const float *from /* aligned */, int at) {
  to[threadIdx.x] = from[at + threadIdx.x] + 2;
}
KERNEL(in_comment) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    said(xs, x, k);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is said of the function asks for it.
__device__ void said_of(float *to, const float *from, int at, int more) noexcept(sizeof(more) == 4) {
  to[threadIdx.x] = from[at + threadIdx.x + more];
}
KERNEL(in_noexcept) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    said_of(xs, x, k, 1);
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: void plain_fetch(const float *from, int at, float by,
// CHECK-NEXT: plain_tile &tile) {
// CHECK: void plain_store(float *to, const plain_tile &tile) {
// CHECK: plain_fetch(x, k, 2.0f, tile);
// CHECK: plain_store(xs, tile);
// CHECK: void deduced_fetch(const float *from, int at, Tag,
// CHECK-NEXT: deduced_tile<Tag> &tile) {
// CHECK: void deduced_store(float *to, Tag, const deduced_tile<Tag> &tile) {
// CHECK: void spelled_fetch(const float *from, int at,
// CHECK-NEXT: spelled_tile<Tag> &tile) {
// CHECK: void spelled_store(float *to, const spelled_tile<Tag> &tile) {
// CHECK: spelled_fetch<short>(x, k, tile);
// CHECK: spelled_store<short>(xs, tile);
// CHECK: void hidden_fetch(const float *from, int at, hidden_tile &tile) {
// CHECK: void hidden_store(float *to, const float *from, int at,
// CHECK-NEXT: const hidden_tile &tile) {
// CHECK: void said_fetch(float *to, const float *from /* aligned */, int at,
// CHECK-NEXT: said_tile &tile) {
// CHECK: void said_store(float *to, const float *from /* aligned */, int at,
// CHECK-NEXT: const said_tile &tile) {
// CHECK: void said_of_fetch(const float *from, int at, int more,
// CHECK: void said_of_store(float *to, int more,

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int)) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n + 2 * T);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(halves) { run(halves); }
CASE(by_argument) { run(by_argument); }
CASE(by_name) { run(by_name); }
CASE(in_macro) { run(in_macro); }
CASE(in_comment) { run(in_comment); }
CASE(in_noexcept) { run(in_noexcept); }
#endif
