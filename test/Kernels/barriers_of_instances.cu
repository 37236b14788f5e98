// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last barrier of a tile stands in the text of all instances of a template
// if the compute of one of them needs it.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS
// RUN: FileCheck %s < %t.cu
// SAYS: remark: pipelined K-loop: 2 stages of xs
// SAYS-NOT: warning

constexpr int T = 64;

/// The greatest value of N neighbours.
template <int N> struct Best {
  float v = -1.0f;
  __device__ void add(float x) {
    v = fmaxf(v, x);
    for (int i = 1; i < N; i *= 2)
      v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, i));
  }
};
/// That of one thread: adding to it may cross a barrier.
template <> struct Best<1> {
  float v = -1.0f;
  __device__ void add(float x) { v = fmaxf(v, x); }
};

// CHECK-LABEL: greatest(const float *
// CHECK: sum += xs[
// CHECK: __syncthreads();
// CHECK: best.add(sum);
template <int N>
__global__ void __launch_bounds__(T)
    greatest(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Best<N> best;
  for (int i = 0; i < n; i += T) {
    float sum = 0.0f;
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((threadIdx.x ^ j) & 7);
    __syncthreads();
    best.add(sum);
  }
  y[threadIdx.x] = best.v;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <int N> static void run() {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, greatest<N>, x, y, n);
  }
}
CASE(one) { run<1>(); }
CASE(several) { run<4>(); }
#else
template __global__ void greatest<1>(const float *, float *, int);
template __global__ void greatest<4>(const float *, float *, int);
#endif
