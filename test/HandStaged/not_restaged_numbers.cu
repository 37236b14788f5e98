// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose first tile is copied by other numbers than the ones in the loop:
// equal as bits, and different for what is asked of them. One stage would not
// mean the same.
//
// RUN: %kpipe rewrite --restage --arch=sm_86 %s -o %t.cu 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="pipelined K-loop"
// RUN: diff %s %t.cu

#include <cuda_pipeline.h>

constexpr int T = 128;

// A comparison of signed numbers in front, of unsigned ones in the loop.
// CHECK: :[[#@LINE+6]]:3: note: its author's stages stay: {{.*}}: this is not the copy of the first tile
__global__ void signed_and_not(const float *x, float *y, int n, int width) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  const int c = (int)threadIdx.x - 1;
  __pipeline_memcpy_async(&s[0][threadIdx.x], &x[c], 4, c < width ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      __pipeline_memcpy_async(&s[stage ^ 1][threadIdx.x], &x[k + T + c], 4,
                              (unsigned)c < (unsigned)width ? 0 : 4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    __pipeline_wait_prior(0);
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// A conversion to floating point asks for the sign.
// CHECK: :[[#@LINE+6]]:3: note: its author's stages stay: {{.*}}: this is not the copy of the first tile
__global__ void as_floats(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  const int tid = threadIdx.x;
  __pipeline_memcpy_async(&s[0][tid], &x[tid], 4, (float)(tid - 5) < 3.0f ? 0 : 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      __pipeline_memcpy_async(&s[stage ^ 1][tid], &x[k + T + tid], 4,
                              (float)unsigned(tid - 5) < 3.0f ? 0 : 4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    __pipeline_wait_prior(0);
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}

// An index that a comparison chooses.
// CHECK: :[[#@LINE+6]]:3: note: its author's stages stay: {{.*}}: this is not the copy of the first tile
__global__ void chosen_index(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  int stage = 0;
  const int tid = threadIdx.x;
  __pipeline_memcpy_async(&s[0][tid], &x[tid + (tid - 3 > 0 ? 1 : 2)], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    if (k + T < n)
      __pipeline_memcpy_async(&s[stage ^ 1][tid], &x[k + T + tid + (unsigned(tid - 3) > 0u ? 1 : 2)],
                              4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    __pipeline_wait_prior(0);
    __syncthreads();
    stage ^= 1;
  }
  y[threadIdx.x] = sum;
}
