// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule uniform-barrier, bounds that look like multiples of the loop's step and
// are not: neighbours of test/Kernels/equal_trips.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not='remark: pipelined'

// The rest of another number.
__global__ void __launch_bounds__(32)
    other_rest(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[32];
  float sum = 0;
  // CHECK: multiples.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int k = threadIdx.x; k < n - m % 32; k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n - m % 32; k += 32) {
    __syncthreads();
    sum += x[k];
  }
  y[threadIdx.x] = sum;
}

// A mask that keeps bits below the step.
__global__ void __launch_bounds__(32)
    some_bits(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[32];
  float sum = 0;
  // CHECK: multiples.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int k = threadIdx.x; k < (n & 48); k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < (n & 48); k += 32) {
    __syncthreads();
    sum += x[k];
  }
  y[threadIdx.x] = sum;
}

// One part of the sum is a multiple.
__global__ void __launch_bounds__(32)
    part_of_a_sum(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[32];
  float sum = 0;
  // CHECK: multiples.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int k = threadIdx.x; k < (n & ~31) + m; k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < (n & ~31) + m; k += 32) {
    __syncthreads();
    sum += x[k];
  }
  y[threadIdx.x] = sum;
}

// The other part is.
__global__ void __launch_bounds__(32)
    other_part(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[32];
  float sum = 0;
  // CHECK: multiples.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int k = threadIdx.x; k < m + (n & ~31); k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < m + (n & ~31); k += 32) {
    __syncthreads();
    sum += x[k];
  }
  y[threadIdx.x] = sum;
}

// One part of the difference is.
__global__ void __launch_bounds__(32)
    part_of_a_difference(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[32];
  float sum = 0;
  // CHECK: multiples.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int k = threadIdx.x; k < (n & ~31) - m; k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < (n & ~31) - m; k += 32) {
    __syncthreads();
    sum += x[k];
  }
  y[threadIdx.x] = sum;
}

// One arm of the condition is.
__global__ void __launch_bounds__(32)
    one_arm(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[32];
  float sum = 0;
  // CHECK: multiples.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int k = threadIdx.x; k < (n > m ? n & ~31 : n); k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < (n > m ? n & ~31 : n); k += 32) {
    __syncthreads();
    sum += x[k];
  }
  y[threadIdx.x] = sum;
}

// The other arm is.
__global__ void __launch_bounds__(32)
    other_arm(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float xs[32];
  float sum = 0;
  // CHECK: multiples.cu:[[#@LINE+1]]:3: warning: not pipelined: only some threads of the block run the loop; others pass barriers in another branch, which pair with the loop's by count [kpipe-uniform-barrier]
  for (int k = threadIdx.x; k < (n > m ? n : n & ~31); k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += xs[j];
    __syncthreads();
  }
  for (int k = threadIdx.x; k < (n > m ? n : n & ~31); k += 32) {
    __syncthreads();
    sum += x[k];
  }
  y[threadIdx.x] = sum;
}
