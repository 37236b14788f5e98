// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors in strides of a block of unknown size, as in
// Kernels/vectors_by_block.cu, but those of one thread may share bytes.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=cp-async %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='remark: pipelined'

constexpr int Rows = 36, Cols = 16, Tile = 512, Vectors = Tile / 4;

// Each vector begins in the middle of the last.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void steps_of_half_a_vector(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x; i < Vectors; i += blockDim.x)
      *(float4 *)&xs[i / 8][i % 8 * 2] =
          *(const float4 *)&x[k + 4 * i];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A row is as long as one vector and a half.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void rows_of_half_a_vector(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x; i < Vectors / 2; i += blockDim.x)
      *(float4 *)&(&xs[0][0])[i / 2 * 6 + i % 2 * 4] =
          *(const float4 *)&x[k + 4 * i];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The remainder reaches into the next row.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void more_columns_than_rows_have(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x; i < Vectors; i += blockDim.x)
      *(float4 *)&(&xs[0][0])[i / 8 * 16 + i % 8 * 4] =
          *(const float4 *)&x[k + 4 * i];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nothing says that the first element is a multiple of four.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void elements_not_in_fours(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x * 3; i < Vectors; i += blockDim.x * 4)
      *(float4 *)&xs[i / 16][i % 16 & ~1] =
          *(const float4 *)&x[k + 4 * i];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The step may be negative, and then the counter goes down to where it was.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void unknown_step(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x; i < Vectors; i += m)
      *(float4 *)&xs[i / 4][i % 4 * 4] =
          *(const float4 *)&x[k + 4 * (i & 63)];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Small blocks go down.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void step_of_either_sign(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x; i < Vectors; i += int(blockDim.x) - 33)
      *(float4 *)&xs[i / 4][i % 4 * 4] =
          *(const float4 *)&x[k + 4 * (i & 63)];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same, and the counter is the index.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void index_of_either_sign(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x; i < Vectors; i += int(blockDim.x) - 33)
      ((float4 *)&xs[0][0])[i] =
          *(const float4 *)&x[k + 4 * (i & 63)];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Remainders of negative numbers lie on both sides of zero.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void below_zero(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = int(threadIdx.x) - 64; i < 64; i += blockDim.x)
      *(float4 *)&(&xs[16][0])[i / 4 * 16 + i % 4 * 4] =
          *(const float4 *)&x[k + 4 * (i + 64)];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An index of eight bits begins again.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void counts_around(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (unsigned char i = threadIdx.x; i < m; i += blockDim.x)
      *(float4 *)&xs[i / 4 % 32][i % 4 * 4] =
          *(const float4 *)&x[k + 4 * i];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The row does not follow the counter.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void same_row_each_turn(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (int i = threadIdx.x; i < Vectors; i += blockDim.x)
      *(float4 *)&xs[threadIdx.x % 32][i % 4 * 4] =
          *(const float4 *)&x[k + 4 * i];
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Every second step is 0.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for, but one thread may copy to the same place in 'xs' twice
__global__ void stands_each_second_turn(const float *__restrict__ x, float *__restrict__ y,
                    int n, int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    unsigned turn = 0;
    for (unsigned i = threadIdx.x; i < Vectors; i += (turn & 1) * 128) {
      ++turn;
      *(float4 *)&xs[i / 4][i % 4 * 4] =
          *(const float4 *)&x[k + 4 * i + turn % 2 * 4];
    }
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The loop says nothing of its next turn, of which there is none.
// CHECK: [[#@LINE+5]]:3: warning: not pipelined: cp.async was asked for
__global__ void without_an_update(const float *__restrict__ x, float *__restrict__ y, int n,
                    int m) {
  __shared__ __align__(16) float xs[Rows][Cols];
  float sum = 0;
  for (int k = 0; k < n; k += Tile) {
    for (unsigned i = threadIdx.x; i < Vectors;) {
      *(float4 *)&xs[i / 4][i % 4 * 4] = *(const float4 *)&x[k + 4 * i];
      break;
    }
    __syncthreads();
    for (int j = 0; j < Cols; ++j)
      sum += xs[threadIdx.x % 32][j] * float((threadIdx.x + j) % 61);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
