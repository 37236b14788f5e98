// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of threads' copies that a warpgroup of its own has the copy engine bring;
// where they are unaligned the author's threads copy, and meet at a barrier that is
// theirs alone.
// REQUIRES: executor
// RUN: %kpipe rewrite --arch=sm_90a --copies=bulk --producer=warpgroup --allow-occupancy-drop %s -o %t.cu 2>&1 | FileCheck %s
// RUN: %kpipe rewrite --arch=sm_90a --copies=bulk --producer=warpgroup --stages=2 --inline-runtime --allow-occupancy-drop %s -o %t-two.cu
// RUN: %execute --arch=sm_90a --stages=3 %s %t.cu %t-two.cu --flag=-I%S
// CHECK: remark: pipelined K-loop: 4 stages of As, xs, copy engine
// CHECK-NOT: not pipelined

constexpr int T = 256, R = 16, C = 128;

__global__ void __launch_bounds__(T, 2)
    matvec(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float As[R][C];
  __shared__ float xs[C];
  const int tid = threadIdx.x;
  A += size_t(blockIdx.x) * R * n;
  float sum = 0;
  for (int c0 = 0; c0 < n / C * C; c0 += C) {
    for (int i = tid; i < R * C; i += blockDim.x)
      As[i / C][i % C] = A[i / C * n + c0 + i % C];
    for (int i = tid; i < C; i += blockDim.x)
      xs[i] = x[c0 + i];
    __syncthreads();
    for (int c = tid % 16; c < C; c += 16)
      sum += As[tid / 16][c] * xs[c];
    __syncthreads();
  }
  __shared__ float sums[T];
  sums[tid] = sum;
  __syncthreads();
  y[blockIdx.x * T + tid] = sum + sums[(tid + 1) % blockDim.x];
}
void run_matvec(const float *A, const float *x, float *y, int n) {
  matvec<<<2, T>>>(A, x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
/// Further on, where rows are no longer aligned.
static const float *from(const harness::Buffer<float> &b, int at) {
  return static_cast<float *>(b) + at;
}
CASE(rows) {
  for (int k : multiples(C))
    for (int more : {0, 1, 4})
      for (int at : {0, 1}) {
        auto a = in<float>("A", 2 * R * (k + more) + 4), x = in<float>("x", k + 8);
        auto y = out<float>("y", 2 * T);
        run_matvec(from(a, at), from(x, 4 * at), y, k + more);
      }
}
#endif
