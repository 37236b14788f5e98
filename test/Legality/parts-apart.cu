// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory in parts that meet, or may: all of it would get stages,
// so a single buffer stays.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

// The sums reach one element into the tile.
__global__ void one_element(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float a[];
  float *tile = a, *sums = a + 63;
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of a
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    sums[t] += tile[63 - t];
    __syncthreads();
  }
  y[t] = sums[t];
}

// Of a larger block the tile would.
__global__ void larger_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float b[];
  float *tile = b, *sums = b + 32;
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of b
  for (int i = 0; i < n; i += 32) {
    tile[t] = x[i + t];
    __syncthreads();
    sums[t] += tile[t / 2];
    __syncthreads();
  }
  y[t] = sums[t];
}

// Blocks may have any size.
__global__ void any_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float c[];
  float *tile = c, *sums = c + 64;
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of c
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    sums[t] += tile[t];
    __syncthreads();
  }
  y[t] = sums[t];
}

// Where the sums are is not known.
__global__ void any_place(const float *__restrict__ x, float *__restrict__ y, int n, int far) {
  extern __shared__ float d[];
  float *tile = d, *sums = d + far;
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of d
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    sums[t] += tile[t];
    __syncthreads();
  }
  y[t] = sums[t];
}

// In the loop, the sums are found from the tile, which moves.
__global__ void made_of_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float e[];
  float *tile = e;
  int t = threadIdx.x;
  tile[64 + t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of e
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    float *sums = tile + 64;
    sums[t] += tile[63 - t];
    __syncthreads();
  }
  y[t] = tile[64 + t];
}

// And a part of the tile from the sums, which do not.
__global__ void made_of_sums(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float f[];
  float *tile = f, *sums = f + 64;
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of f
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    float *last = sums - 1;
    sums[t] += tile[63 - t] + last[0];
    __syncthreads();
  }
  y[t] = sums[t];
}

// A function is given the sums, and may go on from there.
__device__ void add(float *to, float v) { to[-1] += v; }
__global__ void given(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float g[];
  float *tile = g, *sums = g + 64;
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of g
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    add(sums + t, tile[63 - t]);
    __syncthreads();
  }
  y[t] = sums[t];
}

// The pointer to the sums goes on.
__global__ void goes_on(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float h[];
  float *tile = h, *sums = h + 64;
  int t = threadIdx.x;
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of h
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    sums[t] = tile[63 - t];
    --sums;
    __syncthreads();
  }
  y[t] = sums[t];
}

// Behind the loop more is read of the sums than there is.
__global__ void behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float k[];
  float *tile = k, *sums = k + 64;
  int t = threadIdx.x;
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of k
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    sums[t] += tile[63 - t];
    __syncthreads();
  }
  y[t] = sums[t] + sums[t - 64];
}

// A table that is written to.
__global__ void other_table(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float l[];
  float *tile = l, *sums = l + 64;
  int row[2] = {0, 32};
  int t = threadIdx.x;
  row[1] += y[0];
  sums[t] = 0;
  __syncthreads();
  // CHECK: parts-apart.cu:[[#@LINE+1]]:3: remark: pipelined K-loop: single buffer of l
  for (int i = 0; i < n; i += 64) {
    tile[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < 2; ++j) sums[t] += tile[row[j]];
    __syncthreads();
  }
  y[t] = sums[t];
}

void launch(const float *x, float *y, int n, int threads) {
  one_element<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
  larger_block<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
  any_block<<<1, threads, 128 * sizeof(float)>>>(x, y, n);
  any_place<<<1, 64, 256 * sizeof(float)>>>(x, y, n, 64);
  made_of_tile<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
  made_of_sums<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
  given<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
  goes_on<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
  other_table<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
  behind<<<1, 64, 128 * sizeof(float)>>>(x, y, n);
}
