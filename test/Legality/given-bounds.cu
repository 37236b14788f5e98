// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers whose copy loops end where their callers say, and whose copies may
// meet all the same: they are no asynchronous ones.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

#include <cuda_runtime.h>

constexpr int W = 16, R = 8;

__device__ void fill(float *to, const float *from, int ld, int rows, int cols) {
  for (int r = threadIdx.y; r < rows; r += 4)
    for (int c = threadIdx.x; c < cols; c += 8)
      to[r * W + c] = from[r * ld + c];
}

// By its last column a row meets the next one.
__device__ void fill_up_to(float *to, const float *from, int ld, int rows, int last) {
  for (int r = threadIdx.y; r < rows; r += 4)
    for (int c = threadIdx.x; c <= last; c += 8)
      to[r * W + c] = from[r * ld + c];
}

// The bound changes on the way.
__device__ void fill_changed(float *to, const float *from, int ld, int rows, int cols) {
  for (int r = threadIdx.y; r < rows; r += 4) {
    for (int c = threadIdx.x; c < cols; c += 8)
      to[r * W + c] = from[r * ld + c];
    cols = cols + 64;
  }
}

// Below zero is far away where the counter has no sign.
__device__ void fill_unsigned(float *to, const float *from, int ld, int rows, int last) {
  for (int r = threadIdx.y; r < rows; r += 4)
    for (unsigned c = threadIdx.x; c <= last; c += 8) {
      to[r * W + c] = from[r * ld + c];
      if (c > 24)
        break;
    }
}

// It ends where the counter is another number.
__device__ void fill_unequal(float *to, const float *from, int ld, int rows, int cols) {
  for (int r = threadIdx.y; r < rows; r += 4)
    for (int c = threadIdx.x & 1; c != cols; c += 1)
      to[r * W + c] = from[r * ld + c];
}

#define KERNEL(NAME)                                                           \
  __global__ void NAME(const float *__restrict__ A, float *__restrict__ out, int K)
#define COMPUTE                                                                \
  for (int i = 0; i < R * W; ++i)                                              \
    acc += s[i] * float(i)

KERNEL(wide) {
  __shared__ float s[R * W + W];
  float acc = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}} one thread may copy to the same place in 's' twice
  for (int k = 0; k < K; k += W) {
    fill(s, A + k, K, R, 5 * W);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

KERNEL(one_more) {
  __shared__ float s[R * W + W];
  float acc = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}} one thread may copy to the same place in 's' twice
  for (int k = 0; k < K; k += W) {
    fill_up_to(s, A + k, K, R, 4 * W);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

KERNEL(changed) {
  __shared__ float s[R * W + W];
  float acc = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}} one thread may copy to the same place in 's' twice
  for (int k = 0; k < K; k += W) {
    fill_changed(s, A + k, K, R, W);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

KERNEL(below_zero) {
  __shared__ float s[R * W + 4 * W];
  float acc = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined:
  for (int k = 0; k < K; k += W) {
    fill_unsigned(s, A + k, K, R, -1);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

KERNEL(unequal) {
  __shared__ float s[R * W + W];
  float acc = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}} one thread may copy to the same place in 's' twice
  for (int k = 0; k < K; k += W) {
    fill_unequal(s, A + k, K, R, 5 * W);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

// Two parts that meet.
KERNEL(two_parts) {
  __shared__ float s[R * W];
  float acc = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}} one thread may copy to the same place in 's' twice
  for (int k = 0; k < K; k += W) {
    fill(s, A + k, K, R / 2, W);
    fill(s + R / 4 * W, A + R / 2 * K + k, K, R / 2, W);
    __syncthreads();
    COMPUTE;
    __syncthreads();
  }
  out[threadIdx.y * 8 + threadIdx.x] = acc;
}

void run(const float *A, float *out, int K) {
  wide<<<1, dim3(8, 4)>>>(A, out, K);
  one_more<<<1, dim3(8, 4)>>>(A, out, K);
  changed<<<1, dim3(8, 4)>>>(A, out, K);
  below_zero<<<1, dim3(8, 4)>>>(A, out, K);
  unequal<<<1, dim3(8, 4)>>>(A, out, K);
  two_parts<<<1, dim3(8, 4)>>>(A, out, K);
}
