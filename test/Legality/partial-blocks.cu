// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory of which the last tile is stored in part, and more than
// that part may be read, or the array has other names: a single buffer stays.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

// One element more is read.
__global__ void one_more(const float *__restrict__ q, const float *__restrict__ p, float *__restrict__ d, int N) {
  extern __shared__ float tile[];
  int t = threadIdx.x;
  float me = q[blockIdx.x * blockDim.x + t], best = 1e30f;
  // CHECK: partial-blocks.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (int base = 0; base < N; base += blockDim.x) {
    int n = min((int)blockDim.x, N - base);
    if (t < n) tile[t] = p[base + t];
    __syncthreads();
    for (int j = 0; j <= n; ++j) best = fminf(best, fabsf(tile[j] - me));
    __syncthreads();
  }
  d[blockIdx.x * blockDim.x + t] = best;
}

// A part of it has a name of its own.
__global__ void with_view(const float *__restrict__ q, const float *__restrict__ p, float *__restrict__ d, int N) {
  extern __shared__ float tile[];
  float *other = tile + 64;
  int t = threadIdx.x;
  float me = q[blockIdx.x * blockDim.x + t], best = 1e30f;
  // CHECK: partial-blocks.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (int base = 0; base < N; base += blockDim.x) {
    int n = min((int)blockDim.x, N - base);
    if (t < n) tile[t] = p[base + t];
    other[t] = p[t];
    __syncthreads();
    for (int j = 0; j < n; ++j) best = fminf(best, fabsf(tile[j] - me) + other[j]);
    __syncthreads();
  }
  d[blockIdx.x * blockDim.x + t] = best;
}

// What the last tile left is read behind the loop.
__global__ void behind(const float *__restrict__ q, const float *__restrict__ p, float *__restrict__ d, int N) {
  extern __shared__ float tile[];
  int t = threadIdx.x;
  float me = q[blockIdx.x * blockDim.x + t], best = 1e30f;
  // CHECK: partial-blocks.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of tile
  for (int base = 0; base < N; base += blockDim.x) {
    int n = min((int)blockDim.x, N - base);
    if (t < n) tile[t] = p[base + t];
    __syncthreads();
    for (int j = 0; j < n; ++j) best = fminf(best, fabsf(tile[j] - me));
    __syncthreads();
  }
  d[blockIdx.x * blockDim.x + t] = best + tile[t];
}

void run(const float *q, const float *p, float *d, int n) {
  one_more<<<n / 64, 64, 65 * sizeof(float)>>>(q, p, d, n);
  with_view<<<n / 64, 64, 128 * sizeof(float)>>>(q, p, d, n);
  behind<<<n / 64, 64, 64 * sizeof(float)>>>(q, p, d, n);
}
