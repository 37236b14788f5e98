// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both arms of a condition store in a loop, but not the same places: what one of
// them leaves is the tile before in a single buffer, and an older one in stages.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'
//
// The validator runs the stores with the rule switched off.
// RUN: env KPIPE_RULES_OFF=stored-elements %kpipe-unruled rewrite --dry-run \
// RUN:   --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ALONE --implicit-check-not=' stages of'
// ALONE-COUNT-8: warning: not pipelined: byte {{[0-9]+}} of 'xs' is stored here for one tile and not for a later one

constexpr int T = 32;

#define KERNEL(Name)                                                           \
  __global__ void Name(const float *__restrict__ x, float *__restrict__ y,     \
                       int n, int m)
#define END                                                                    \
  y[i] = sum;                                                                  \
  }

// One turn less.
KERNEL(fewer) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    if (t < m)
      for (int k = 0; k < 4; ++k) xs[k * T + i] = x[t + i + k];
    else
      for (int k = 0; k < 3; ++k) xs[k * T + i] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// From another place.
KERNEL(later) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    if (t < m)
      for (int k = 0; k < 4; ++k) xs[k * T + i] = x[t + i + k];
    else
      for (int k = 1; k < 4; ++k) xs[k * T + i] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// With another step.
KERNEL(wider) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    if (t < m)
      for (int k = 0; k < 4; k += 1) xs[k * T + i] = x[t + i + k];
    else
      for (int k = 0; k < 4; k += 2) xs[k * T + i] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// The loops have changed places, so that rows are columns.
KERNEL(turned) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    if (t < m)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 2; ++b) xs[(2 * a + b) % 4 * T + i] = x[t + i + a];
    else
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 4; ++b) xs[(2 * a + b) % 3 * T + i] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// Not in each turn.
KERNEL(at_times) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    if (t < m)
      for (int k = 0; k < 4; ++k) xs[k * T + i] = x[t + i + k];
    else
      for (int k = 0; k < 4; ++k)
        if (k != 2) xs[k * T + i] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// What is added to the place is not the same.
KERNEL(moved) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because which elements of 'xs' are stored varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    int by = 0;
    if (t < m) {
      for (int k = 0; k < 3; ++k) xs[(k + by) * T + i] = x[t + i + k];
    } else {
      by = 1;
      for (int k = 0; k < 3; ++k) xs[(k + by) * T + i] = 0;
    }
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// One place alone, in a loop on the one way.
KERNEL(one_place) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    if (t < m)
      for (int k = 0; k < 4; ++k) xs[k * T + i] = x[t + i + k];
    else
      xs[i] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

// One of the two subscripts counts by the other loop.
KERNEL(crossed) {
  __shared__ float xs[4 * T];
  const int i = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: note: single buffer, because 'xs' is stored under a condition that varies from iteration to iteration
  for (int t = 0; t < n; t += T) {
    if (t < m)
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) xs[(2 * a + b) * T + i] = x[t + i + a];
    else
      for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) xs[(2 * b + b) * T + i] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j) sum += xs[j];
    __syncthreads();
  }
END

void go(const float *x, float *y, int n, int m) {
  fewer<<<1, T>>>(x, y, n, m);
  later<<<1, T>>>(x, y, n, m);
  wider<<<1, T>>>(x, y, n, m);
  turned<<<1, T>>>(x, y, n, m);
  at_times<<<1, T>>>(x, y, n, m);
  moved<<<1, T>>>(x, y, n, m);
  one_place<<<1, T>>>(x, y, n, m);
  crossed<<<1, T>>>(x, y, n, m);
}
