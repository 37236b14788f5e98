// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that fill the tiles are in a header, which stays as it is: their
// clones go in front of the first kernel of this file that calls them.
// REQUIRES: executor
// RUN: %variants --at-least=9 %s
//
// RUN: %kpipe rewrite %s --arch=sm_86 --variant=ldg 2>/dev/null | FileCheck %s
// Written once for both kernels, above what is said of the first.
// CHECK: {{^}}struct doubled_{{tile}} {
// CHECK: {{^}}static __device__ inline void doubled_{{fetch}}(
// CHECK: {{^}}static __device__ inline void doubled_{{store}}(
// CHECK: {{^}}// What is said of a kernel stays above it.
// CHECK-NEXT: {{^}}__global__
// CHECK-NOT: struct doubled_{{tile}}
// CHECK: {{^}}namespace {
// CHECK-NOT: static
// CHECK: {{^}}__device__ void hidden_{{fetch}}(
// CHECK: {{^}}namespace tiles {
// CHECK: template <int N>{{$}}
// CHECK-NEXT: {{^}}static __device__ __forceinline__ void fill_{{fetch}}(const Element *x, int k,
// CHECK: {{^}}namespace app {
// CHECK: {{^}}namespace detail {
// CHECK: copy_{{fetch}}({{.*}} int k,
// CHECK-NEXT: copy_{{tile}}<T, N> &tile, int step = Threads) {
// CHECK: {{^}}static __device__ inline void thrice_{{store}}(
// CHECK: {{^}}// The first of two callers
// CHECK-NEXT: {{^}}#ifndef WITHOUT_FIRST
// CHECK-NOT: struct thrice_{{tile}}

#include "Inputs/helpers.cuh"

// What is said of a kernel stays above it.
__global__ void __launch_bounds__(64)
plain(const float *x, float *y, int n) {
  __shared__ float xs[256];
  float s = 0;
  for (int k = 0; k < n; k += 256) {
    doubled(x, xs, k);
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      s += xs[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// A second kernel calls the same clones.
__global__ void __launch_bounds__(64)
shared_clones(const float *x, float *y, int n) {
  __shared__ float other[256], part[256];
  float s = 1;
  for (int k = 0; k < n; k += 256) {
    words(x, part, k);
    doubled(x, other, k);
    __syncthreads();
    for (int j = 0; j < 256; ++j)
      s += other[j] - part[j ^ threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

__global__ void __launch_bounds__(64)
unnamed(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    hidden(x, xs, k);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

// Two instantiations of one helper share the text of its clones.
template <int N>
__global__ void __launch_bounds__(64)
instances(const float *x, float *y, int n) {
  __shared__ float xs[N], zs[N / 2];
  float s = 0;
  for (int k = 0; k < n; k += N) {
    tiles::fill<N>(x, xs, k);
    tiles::fill<N / 2>(x, zs, k);
    __syncthreads();
    for (int j = 0; j < N; ++j)
      s += xs[j] * zs[(j ^ threadIdx.x) % (N / 2)];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
template __global__ void instances<256>(const float *, float *, int);

namespace app {
// The helper's namespace is inside that of the kernel.
__global__ void __launch_bounds__(64)
inner(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    detail::swapped(x, xs, k);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
} // namespace app

namespace other {
using tiles::copy;
using tiles::versioned;

// Nor do using declarations name the clones, nor are they found by arguments.
__global__ void __launch_bounds__(64)
declared(const float *x, float *y, int n) {
  __shared__ float xs[256], zs[64], ws[64];
  float s = 0;
  for (int k = 0; k < n; k += 256) {
    copy<float, 256>(x, xs, k);
    versioned(x, zs, k);
    from(tiles::Source{x, k + 64}, ws);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * zs[j ^ 1] - xs[j + 64] * ws[j ^ threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

__global__ void __launch_bounds__(64)
outside(const float *x, float *y, int n) {
  using namespace tiles;
  __shared__ float xs[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    late(x, xs, k);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
} // namespace other

// The first of two callers is compiled in some configurations only.
#ifndef WITHOUT_FIRST
__global__ void __launch_bounds__(64)
some(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    thrice(x, xs, k);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s -= xs[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
#endif
__global__ void __launch_bounds__(64)
always(const float *x, float *y, int n) {
  __shared__ float xs[64];
  float s = 0;
  for (int k = 0; k < n; k += 64) {
    thrice(x, xs, k);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = s;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class K> static void run(K kernel, int step) {
  for (int n : multiples(step)) {
    auto x = in<float>("x", n + 256);
    auto y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, kernel, x, y, n);
  }
}
CASE(plain) { run(plain, 256); }
CASE(shared_clones) { run(shared_clones, 256); }
CASE(unnamed) { run(unnamed, 64); }
CASE(instances) { run(instances<256>, 256); }
CASE(inner) { run(app::inner, 64); }
CASE(declared) { run(other::declared, 256); }
CASE(outside) { run(other::outside, 64); }
CASE(some) { run(some, 64); }
CASE(always) { run(always, 64); }
#endif
