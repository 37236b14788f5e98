// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are stored in part, by counts from memory, choices of two numbers
// and the ends of copy loops, of which more is read, or may be. The legal ones
// are in Kernels/partial_counts.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'
// RUN: env KPIPE_RULES_OFF=partial-tiles %kpipe-unruled rewrite --dry-run --arch=sm_80 \
// RUN:   --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=RUN_BY_NUMBERS
// RUN_BY_NUMBERS-COUNT-10: of 'xs' is read here in a tile that does not store it, and would be what a tile 2 before left there

constexpr int T = 32;

// Each thread has a bound of its own.
__global__ void each(const float *__restrict__ x, float *__restrict__ y, int n,
                     const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  const int e = sizes[i];
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition
    if (t + i < e) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (t + j < e) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// So it has by a pointer that moves.
__global__ void moved(const float *__restrict__ x, float *__restrict__ y, int n,
                      const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  sizes += i;
  const int e = sizes[0];
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition
    if (t + i < e) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (t + j < e) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// By an array of its own.
__global__ void local(const float *__restrict__ x, float *__restrict__ y, int n,
                      const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  int own[2] = {i, n - i};
  const int e = own[1];
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition
    if (t + i < e) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (t + j < e) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One more than the count is read.
__global__ void more(const float *__restrict__ x, float *__restrict__ y, int n,
                     const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' is stored under a condition
    const int c = sizes[t];
    if (i < c) xs[i] = x[t * T + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j <= c) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The count of another tile.
__global__ void another(const float *__restrict__ x, float *__restrict__ y, int n,
                        const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' is stored under a condition
    const int c = sizes[t], d = sizes[t + 1];
    if (i < c) xs[i] = x[t * T + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < d) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The greater of two numbers.
__global__ void greater(const float *__restrict__ x, float *__restrict__ y, int n,
                        const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition
    const int e = t + T < n ? n - t : T;
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < e) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A choice whose arms are further apart than what is asked.
__global__ void apart(const float *__restrict__ x, float *__restrict__ y, int n,
                      const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: note: single buffer, because 'xs' is stored under a condition
    const int e = t + T > n ? n - t + 1 : T;
    if (t + i < n) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < e) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The copies end before the count.
__global__ void shorter(const float *__restrict__ x, float *__restrict__ y, int n,
                        const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' are stored varies
    const int c = min(T, n - t);
    for (int k = i; k < c - 1; k += T) xs[k] = x[t + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < c) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// They begin elsewhere in each tile.
__global__ void begins(const float *__restrict__ x, float *__restrict__ y, int n,
                       const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' are stored varies
    const int c = min(T, n - t);
    for (int k = i + t / T % 3; k < c; k += T) xs[k] = x[t + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < c) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// They step by another number in each tile.
__global__ void steps(const float *__restrict__ x, float *__restrict__ y, int n,
                      const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' are stored varies
    const int c = min(T, n - t);
    for (int k = i; k < c; k += T - t / T % 3 * 31) xs[k < T - 1 ? k : 0] = x[t + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < c) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// They store every other element.
__global__ void others(const float *__restrict__ x, float *__restrict__ y, int n,
                       const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' are stored varies
    const int c = min(T, n - t);
    for (int k = i; k < c; k += T) xs[k / 2] = x[t + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < c) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// From the end.
__global__ void backwards(const float *__restrict__ x, float *__restrict__ y, int n,
                          const int *__restrict__ sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' are stored varies
    const int c = min(T, n - t);
    for (int k = i; k < c; k += T) xs[T - 1 - k] = x[t + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (j < c) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A bound that others may change between two threads' reads.
__global__ void changing(const float *__restrict__ x, float *__restrict__ y, int n,
                         const volatile int *sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  const int e = sizes[0];
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' is stored under a condition
    if (t + i < e) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (t + j < e) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A helper's parameter may be an array of the thread's.
__device__ void helper(const float *__restrict__ x, float *__restrict__ y, int n,
                       const int *sizes) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  const int e = sizes[0];
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: {{.*}}'xs' is stored under a condition
    if (t + i < e) xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      if (t + j < e) sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void calls(const float *__restrict__ x, float *__restrict__ y, int n) {
  const int own[1] = {n - int(threadIdx.x)};
  helper(x, y, n, own);
}
