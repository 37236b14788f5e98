// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arrays may be rings does not depend on the order in which they are
// filled: one helper fills one of them at the same places in each iteration and
// the other at places that differ.
//
// RUN: %kpipe analyze --arch=sm_86 --dump=tile-loops %s 2>&1 | FileCheck %s

constexpr int T = 64;
__device__ void fill(float *to, const float *from, int turn) {
  if (turn < T)
    to[(threadIdx.x + turn) % T] = from[threadIdx.x];
}

__global__ void __launch_bounds__(T)
steady_first(const float *__restrict__ x, const float *__restrict__ w,
             float *__restrict__ y, int n) {
  __shared__ float xs[T], ws[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    fill(xs, x + i, 1);
    fill(ws, w + i, i / T % 2);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ws[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: tile-loop steady_first
// CHECK: buffer xs 256 bytes, align 4, ring{{$}}
// CHECK: buffer ws 256 bytes, align 4, single: which elements of 'ws' are stored varies

__global__ void __launch_bounds__(T)
steady_last(const float *__restrict__ x, const float *__restrict__ w,
            float *__restrict__ y, int n) {
  __shared__ float xs[T], ws[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    fill(ws, w + i, i / T % 2);
    fill(xs, x + i, 1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ws[j ^ 1];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// CHECK-LABEL: tile-loop steady_last
// CHECK: buffer ws 256 bytes, align 4, single: which elements of 'ws' are stored varies
// CHECK: buffer xs 256 bytes, align 4, ring{{$}}
