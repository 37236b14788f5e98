// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which clone a call may become: its helper's name is another one, and what
// stands between angle brackets is the same, be it called like the helper.
// REQUIRES: executor
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: %variants --ways=few --at-least=2 %s

constexpr int T = 64;

namespace rules {
struct fill {
  static __device__ float of(float x) { return 2 * x; }
};
struct fill_more {
  static __device__ float of(float x) { return 3 * x + 1; }
};
} // namespace rules

struct Tile {
  const float *p;
  template <class Rule> __device__ void fill(float (&s)[T], int k) const {
    s[threadIdx.x] = Rule::of(p[k + threadIdx.x]);
  }
};
__global__ void __launch_bounds__(T)
    by_member(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], zs[T];
  Tile tile{x};
  float sum = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: {{.*}}xs, zs, registers
  for (int k = 0; k < n; k += T) {
    tile.fill<rules::fill>(xs, k);
    tile.fill<rules::fill_more>(zs, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j ^ threadIdx.x] * zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The class has the argument.
template <class Rule> struct Ruled {
  const float *p;
  __device__ void fill(float (&s)[T], int k) const {
    s[threadIdx.x] = Rule::of(p[k + threadIdx.x]);
  }
};
__global__ void __launch_bounds__(T)
    by_class(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Ruled<rules::fill_more> tile{x};
  float sum = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: pipelined K-loop: {{.*}}xs, registers
  for (int k = 0; k < n; k += T) {
    tile.fill(xs, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j ^ threadIdx.x] * j;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "../Kernels/harness.h"
template <class Kernel> static void run(Kernel kernel) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, kernel, x, y, n);
  }
}
CASE(by_member) { run(by_member); }
CASE(by_class) { run(by_class); }
#endif
