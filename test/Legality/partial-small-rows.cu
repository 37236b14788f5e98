// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles of small rows, of which something is read that was not stored: one
// buffer is left.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not='2 stages'

constexpr int T = 64;

// One point too many.
__global__ void __launch_bounds__(T)
one_more(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * 3 + 3];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      for (int c = 0; c < 3; ++c)
        s[t * 3 + c] = x[(k + t) * 3 + c];
    __syncthreads();
    for (int j = 0; j <= min(T, n - k); ++j)
      sum += s[j * 3];
    __syncthreads();
  }
  y[t] = sum;
}

// The numbers of a point reach into the next one.
__global__ void __launch_bounds__(T)
next_row(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * 3 + 3];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      for (int c = 0; c < 3; ++c)
        s[t * 3 + c] = x[(k + t) * 3 + c];
    __syncthreads();
    for (int j = 0; j < min(T, n - k); ++j)
      for (int c = 0; c < 4; ++c)
        sum += s[j * 3 + c];
    __syncthreads();
  }
  y[t] = sum;
}

// Rows of three are read as rows of two.
__global__ void __launch_bounds__(T)
other_length(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * 3];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k + t < n)
      for (int c = 0; c < 2; ++c)
        s[t * 2 + c] = x[(k + t) * 2 + c];
    __syncthreads();
    for (int j = 0; j < min(T, n - k); ++j)
      sum += s[j * 3];
    __syncthreads();
  }
  y[t] = sum;
}

// Each number of a point has a condition of its own, the reads have that of the
// first.
__global__ void __launch_bounds__(T)
own_conditions(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * 3];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    for (int c = 0; c < 3; ++c)
      if (k + t + c < n)
        s[t * 3 + c] = x[k + t + c];
    __syncthreads();
    for (int j = 0; j < min(T, n - k); ++j)
      sum += s[j * 3 + 2];
    __syncthreads();
  }
  y[t] = sum;
}

// A row back.
__global__ void __launch_bounds__(T)
row_back(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * 3];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
  for (int k = 0; k < n; k += T) {
    if (k + t + 1 < n)
      for (int c = 0; c < 3; ++c)
        s[t * 3 + c] = x[(k + t) * 3 + c];
    __syncthreads();
    for (int j = 0; j < min(T, n - k); ++j)
      sum += s[j * 3 + 1];
    __syncthreads();
  }
  y[t] = sum;
}
