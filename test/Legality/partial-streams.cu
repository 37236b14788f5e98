// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds that are another number in each thread, whatever loads them or changes
// them: one thread reads what another one did not store. The legal ones are in
// Kernels/partial_streams.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'

constexpr int T = 32;

// __ldg of a place that each thread has for itself.
__global__ void each(const int *rows, const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  const int end = __ldg(rows + threadIdx.x % 2);
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (t + (int)threadIdx.x < end) s[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < min(T, end - t); ++j) sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Found by some threads sooner than by others: the bound is no longer one.
__global__ void sooner(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int s[T];
  int found = 0, left = n;
  for (int t = 0; t < n; t += T) {
    if (t + (int)threadIdx.x < left) s[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < min(T, left - t); ++j) {
      if (s[j] % T == (int)threadIdx.x) break;
      ++found;
    }
    left = n - found;
    // CHECK: [[#@LINE-1]]:5: warning: not pipelined: 'left' is written by the compute region and read by the load region
    __syncthreads();
  }
  y[threadIdx.x] = found;
}

// A turn that some threads skip steps the bound for the others alone.
__global__ void skips(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int s[T];
  int found = 0, end = n;
  for (int round = 0; round < 3; ++round) {
    for (int t = 0; t < n; t += T) {
      // CHECK: [[#@LINE-1]]:5: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
      if (t + (int)threadIdx.x < end) s[threadIdx.x] = x[t + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < min(T, end - t); ++j) found += s[j];
      __syncthreads();
    }
    for (int j = 0; j < 4; ++j) {
      if (j == (int)threadIdx.x) continue;
      --end;
    }
  }
  y[threadIdx.x] = found;
}

// A switch that threads leave at different places.
__global__ void cases(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int s[T];
  int found = 0, end = n;
  switch (n % 3) {
  case 0:
    if (threadIdx.x % 2) break;
    --end;
    break;
  default:
    end -= 2;
  }
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (t + (int)threadIdx.x < end) s[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < min(T, end - t); ++j) found += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = found;
}

// A case leads behind the condition.
__global__ void enters(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 's' is stored under a condition that varies from iteration to iteration
    if (t + (int)threadIdx.x < n) s[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    int j = n % 2;
    switch (j)
      for (; j < min(T, n - t); ++j) {
      case 1:
        sum += s[j];
      }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The step is no size of a block.
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int n, int m) {
  __shared__ float s[2 * T];
  int step = blockDim.x;
  if (m) step = m;
  float sum = 0;
  for (int t = 0; t < n; t += 2 * T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}because which elements of 's' are stored varies from iteration to iteration
    const int run = min(2 * T, n - t);
    for (int i = threadIdx.x; i < run; i += step) s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; ++j) sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
