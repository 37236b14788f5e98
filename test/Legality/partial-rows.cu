// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles that are stored in part, whose subscripts leave their rows or wrap
// around, or whose conditions are not what they look like; see partial-tiles.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'

constexpr int T = 32;

#define KERNEL(Name)                                                           \
  __global__ void Name(const float *__restrict__ x, float *__restrict__ y,     \
                       int n, int m, unsigned u, const int *sizes)

#define END                                                                    \
  y[threadIdx.x] = sum;                                                        \
  }

// A row's name is how the elements of all rows are named.
KERNEL(flat) {
  __shared__ float xs[4][8];
  const int i = threadIdx.x, r = i / 8, c = i % 8;
  float sum = 0;
  for (int t = 0; t < n; t += 4) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + r < n) xs[r][c] = x[t + r];
    __syncthreads();
    for (int j = 0; j < T; ++j) if (t < n) sum += xs[0][j];
    __syncthreads();
  }
END

// Nobody knows whether a block has more threads than a row has elements.
KERNEL(across) {
  __shared__ float xs[4][8];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += 4) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i / 8 < n) xs[i / 8][i % 8] = x[t + i / 8];
    __syncthreads();
    for (int j = 0; j < 4 && t + j < n; ++j) sum += xs[j][i];
    __syncthreads();
  }
END

// The stores leave their row.
KERNEL(flatStores) {
  __shared__ float xs[4][8];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[0][i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < 4; ++j) for (int k = 0; k < 8; ++k) if (t + k < n) sum += xs[j][k];
    __syncthreads();
  }
END

// In the text of a macro a number and the loop behind it have one place.
#define COUNTED { int j = 0; const int at = t + j; for (; j < T && at < n; ++j) sum += xs[j]; }
KERNEL(inMacro) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    COUNTED
    __syncthreads();
  }
END

// A shift loses what leaves a signed type.
KERNEL(shifted) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  const long long end = n + (1LL << 31);
  for (int t = m; t < n; ++t) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if ((long long)t * 32 + i < end) xs[i] = x[t * T + i];
    __syncthreads();
    for (int j = 0; j < T && (t << 5) + j < end; ++j) sum += xs[j];
    __syncthreads();
  }
END

// A subscript that wraps around, and a test that does not.
KERNEL(wrapped) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  const long long end = n + (1LL << 32);
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if ((long long)t + threadIdx.x + u < end) xs[threadIdx.x + u] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && (long long)t + j < end; ++j) sum += xs[j];
    __syncthreads();
  }
END

// What a number was when another one was made of it.
KERNEL(madeEarlier) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  int end = n;
  const int most = end + 5;
  end -= 3;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < end) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < most - 5; ++j) sum += xs[j];
    __syncthreads();
  }
END

// A bound that some threads made smaller.
KERNEL(ofThreads) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  int end = n;
  if (i > 8) end -= m;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < end) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < end; ++j) sum += xs[j];
    __syncthreads();
  }
END

// One of two bounds.
KERNEL(both) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n && t + i < m) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < n; ++j) sum += xs[j];
    __syncthreads();
  }
END

// Read where the bound does not hold.
KERNEL(orElse) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += t + j < n || xs[j] > 0 ? 1 : 0;
    __syncthreads();
  }
END

// `<=` of unsigned numbers is not looked into.
KERNEL(orEqual) {
  __shared__ float xs[T];
  float sum = 0;
  for (int t = 0; t <= n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
    if (t + threadIdx.x <= n) xs[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T && t + j <= n; ++j) sum += xs[j];
    __syncthreads();
  }
END
