// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copy loops of which beginning and end have something in common, and that may
// be longer all the same. The legal ones are in Kernels/halo_spans.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=ldg --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="kpipe-pipelined"
// RUN: env KPIPE_RULES_OFF=copy-spans %kpipe-unruled rewrite --dry-run --arch=sm_86 \
// RUN:   --variant=ldg --allow-occupancy-drop %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not="kpipe-pipelined"
// OFF-COUNT-6: kpipe-name-meaning

constexpr int T = 16, W = 20;

// The thread's index makes the way longer.
__global__ void longer(const float *__restrict__ x, float *__restrict__ y, int n, int base) {
  __shared__ float xs[64];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (int k = 0; k < n; k += T) {
    for (int i = base - t; i < base + W; i += T)
      xs[(i - base) & 63] = x[k + i];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Twice what is shared.
__global__ void twice(const float *__restrict__ x, float *__restrict__ y, int n, int base) {
  __shared__ float xs[64];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (int k = 0; k < n; k += T) {
    for (int i = base + t; i < 2 * base + W; i += T)
      xs[(i - base) & 63] = x[k + i];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is shared moves between the two.
__global__ void moved(const float *__restrict__ x, float *__restrict__ y, int n, int base) {
  __shared__ float xs[64];
  const int t = threadIdx.x, h = base + t;
  base += n;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (int k = 0; k < n; k += T) {
    for (int i = h; i < base + W; i += T)
      xs[(i - base) & 63] = x[k + i];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// It moves with the tiles, and was asked for in front of them.
__global__ void stale(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  const int t = threadIdx.x;
  float sum = 0;
  int k = 0;
  const int end = k + W;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (k = 0; k < n; k += T) {
    for (int i = t - k; i < end - 2 * k; i += T)
      xs[(i + k) & 63] = x[k + i];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Unsigned numbers: near their end the loop does not stop there.
__global__ void wraps(const float *__restrict__ x, float *__restrict__ y, int n, unsigned base) {
  __shared__ float xs[64];
  const unsigned t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (int k = 0; k < n; k += T) {
    for (unsigned i = base + t; i < base + W; i += T)
      xs[(i - base) & 63] = x[k + i];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An int beside an unsigned end.
__global__ void mixed(const float *__restrict__ x, float *__restrict__ y, int n, int base,
                      unsigned w) {
  __shared__ float xs[64];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (int k = 0; k < n; k += T) {
    for (int i = base + t; i < base + 20u; i += T)
      xs[(i - base) & 63] = x[k + i];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nobody knows that a parameter is at least 0.
__global__ void parameter(const float *__restrict__ x, float *__restrict__ y, int n, int base,
                          int first) {
  __shared__ float xs[64];
  const int t = threadIdx.x;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (int k = 0; k < n; k += T) {
    for (int i = base + first + t; i < base + W; i += T)
      xs[(i - base) & 63] = x[k + i];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A reference that the loop may move the end by.
__global__ void referred(const float *__restrict__ x, float *__restrict__ y, int n, int base) {
  __shared__ float xs[64];
  const int t = threadIdx.x;
  int &other = base;
  float sum = 0;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: {{.*}}the number of elements that a thread copies
  for (int k = 0; k < n; k += T) {
    for (int i = base + t; i < base + W; i += T) {
      xs[(i - base) & 63] = x[k + i];
      other += 1;
    }
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
