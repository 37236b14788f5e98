// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lengths that an `if` cuts, and that are not what is stored: too much is read,
// or the `if` is no minimum. The legal ones are in Kernels/partial_clamps.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'

constexpr int T = 32;

#define KERNEL(Name)                                                           \
  __global__ void Name(const float *__restrict__ x, float *__restrict__ y,     \
                       int n, int m)

#define END                                                                    \
  y[threadIdx.x] = sum;                                                        \
  }

// No minimum: all are read.
KERNEL(greater) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int run = n - t;
    if (run < T) run = T;
    if (t + i < n) s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++) sum += s[j];
    __syncthreads();
  }
END

// Cut at another place than it is asked for.
KERNEL(another) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int run = n - t;
    if (run > T) run = T + 1;
    if (t + i < n) s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++) sum += s[j];
    __syncthreads();
  }
END

// Another number decides.
KERNEL(decides) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int run = T;
    if (t + T > m) run = n - t;
    if (t + i < n) s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++) sum += s[j];
    __syncthreads();
  }
END

// Each thread has a length of its own.
KERNEL(threads) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int run = n - t;
    if (i > 3) run = T;
    if (i < run) s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++) sum += s[j];
    __syncthreads();
  }
END

// Changed once more, between the store and the reads.
KERNEL(again) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int run = n - t;
    if (run > T) run = T;
    if (i < run) s[i] = x[t + i];
    __syncthreads();
    if (m > 3) run = T;
    for (int j = 0; j < run; j++) sum += s[j];
    __syncthreads();
  }
END

// There is another branch.
KERNEL(branches) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int run = n - t;
    if (run > T) run = T; else run = T - 1;
    if (t + i < n) s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; j++) sum += s[j];
    __syncthreads();
  }
END

// One turn more than is stored.
KERNEL(beyond) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int run = n - t;
    if (run > T) run = T;
    if (i < run) s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j <= run; j++) sum += s[j];
    __syncthreads();
  }
END

// A row that begins below zero stores nothing by an unsigned number, and is read.
KERNEL(below) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  const int begin = int(x[0]);
  for (int p = begin; p < n; p += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (p + threadIdx.x < n) s[i] = x[p + i];
    __syncthreads();
    for (int j = 0; j < T && p + j < n; j++) sum += s[j];
    __syncthreads();
  }
END

// The same int, but one more.
KERNEL(wraps) {
  __shared__ float s[2 * T];
  const int i = threadIdx.x;
  float sum = 0;
  const int begin = int(x[0]);
  for (int p = begin; p < n; p += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    int at = p + threadIdx.x + 1;
    if (at < n) s[i] = x[p + i];
    __syncthreads();
    for (int j = 0; j < T && p + j + 1 < n; j++) sum += s[j + 1];
    __syncthreads();
  }
END
