// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, casts and minima that say less of a last tile than what is read of
// it. The legal ones are in Kernels/partial_products.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'

constexpr int T = 16, D = 6;

#define POINTS(Name)                                                           \
  __global__ void Name(const float *__restrict__ x, float *__restrict__ y,     \
                       int n, int m)
#define END                                                                    \
  y[threadIdx.x] = sum;                                                        \
  }

// One point too many.
POINTS(points) {
  __shared__ float s[(T + 2) * (D + 2)];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant, so their registers cannot be counted (registers, because which elements of 's' are stored varies from iteration to iteration
    int count = min(T, n - c0);
    for (int t = threadIdx.x; t < count * D; t += blockDim.x) s[t] = x[c0 * D + t];
    __syncthreads();
    for (int c = 0; c <= count; c++)
      for (int d = 0; d < D; d++) sum += s[c * D + d];
    __syncthreads();
  }
END

// One number too many of the last point.
POINTS(numbers) {
  __shared__ float s[(T + 2) * (D + 2)];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant, so their registers cannot be counted (registers, because which elements of 's' are stored varies from iteration to iteration
    int count = min(T, n - c0);
    for (int t = threadIdx.x; t < count * D; t += blockDim.x) s[t] = x[c0 * D + t];
    __syncthreads();
    for (int c = 0; c < count; c++)
      for (int d = 0; d <= D; d++) sum += s[c * D + d];
    __syncthreads();
  }
END

// Points of more numbers than are stored.
POINTS(wider) {
  __shared__ float s[(T + 2) * (D + 2)];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant, so their registers cannot be counted (registers, because which elements of 's' are stored varies from iteration to iteration
    int count = min(T, n - c0);
    for (int t = threadIdx.x; t < count * D; t += blockDim.x) s[t] = x[c0 * D + t];
    __syncthreads();
    for (int c = 0; c < count; c++)
      for (int d = 0; d < D; d++) sum += s[c * (D + 1) + d];
    __syncthreads();
  }
END

// Counted backwards from the bound.
POINTS(backwards) {
  __shared__ float s[(T + 2) * (D + 2)];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant, so their registers cannot be counted (registers, because which elements of 's' are stored varies from iteration to iteration
    int count = min(T, n - c0);
    for (int t = threadIdx.x; t < count * D; t += blockDim.x) s[t] = x[c0 * D + t];
    __syncthreads();
    for (int c = 0; c < count; c++)
      for (int d = 0; d < D; d++) sum += s[(T - 1 - c) * D + d];
    __syncthreads();
  }
END

// What is left of another number of points.
POINTS(another) {
  __shared__ float s[(T + 2) * (D + 2)];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant, so their registers cannot be counted (registers, because which elements of 's' are stored varies from iteration to iteration
    int count = min(T, n - c0), most = min(T, m - c0);
    for (int t = threadIdx.x; t < count * D; t += blockDim.x) s[t] = x[c0 * D + t];
    __syncthreads();
    for (int c = 0; c < most; c++)
      for (int d = 0; d < D; d++) sum += s[c * D + d];
    __syncthreads();
  }
END

// The greater of the two, times something.
POINTS(greater) {
  __shared__ float s[(T + 2) * (D + 2)];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant, so their registers cannot be counted (registers, because which elements of 's' are stored varies from iteration to iteration
    int count = min(T, n - c0);
    for (int t = threadIdx.x; t < count * D; t += blockDim.x) s[t] = x[c0 * D + t];
    __syncthreads();
    for (int i = 0; i < max(T, n - c0) * D; i++) sum += s[i];
    __syncthreads();
  }
END

#define STREAM(Name)                                                           \
  __global__ void Name(const float *__restrict__ x, float *__restrict__ y,     \
                       long long n, long long m)

// The loop says nothing of what is left: cast to an int it may be anything.
STREAM(unsaid) {
  __shared__ float s[T];
  float sum = 0;
  for (long long l = 0; l < m; l += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (threadIdx.x < T && l + threadIdx.x < n) s[threadIdx.x] = x[l + threadIdx.x];
    __syncthreads();
    const int run = n - l < T ? int(n - l) : T;
    for (int k = 0; k < run; ++k) sum += s[k];
    __syncthreads();
  }
END

// Too few bits.
STREAM(narrow) {
  __shared__ float s[T];
  float sum = 0;
  for (long long l = 0; l < n; l += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (threadIdx.x < T && l + threadIdx.x < n) s[threadIdx.x] = x[l + threadIdx.x];
    __syncthreads();
    const int run = min(int(short(n - l)), T);
    for (int k = 0; k < run; ++k) sum += s[k];
    __syncthreads();
  }
END

// Cast before it is compared, and of another stream.
STREAM(before) {
  __shared__ float s[T];
  float sum = 0;
  for (long long l = 0; l < m; l += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (threadIdx.x < T && l + threadIdx.x < n) s[threadIdx.x] = x[l + threadIdx.x];
    __syncthreads();
    const int run = min(int(n - l), T);
    for (int k = 0; k < run; ++k) sum += s[k];
    __syncthreads();
  }
END

// The store is cut, and what is read is not.
STREAM(cut) {
  __shared__ float s[T];
  float sum = 0;
  for (long long l = 0; l < n; l += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    const int i = threadIdx.x;
    if (i < min(int(n - l), T)) s[i] = x[l + i];
    __syncthreads();
    for (int k = 0; k < min(n - l, (long long)T); ++k) sum += s[k];
    __syncthreads();
  }
END

// A statement expression that gives the greater one.
#define most(x, y)                                                             \
  ({                                                                           \
    int _x = (x);                                                              \
    int _y = (y);                                                              \
    _x > _y ? _x : _y;                                                         \
  })
STREAM(statement) {
  __shared__ float s[T];
  float sum = 0;
  for (int l = 0; l < int(n); l += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (threadIdx.x < T && l + int(threadIdx.x) < int(n)) s[threadIdx.x] = x[l + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < most(T, int(n) - l); ++k) sum += s[k];
    __syncthreads();
  }
END
