// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breaks behind declarations that cannot be asked in the loop's condition, and
// continues that skip a barrier, a load, or a step.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

constexpr int T = 64;
#define KERNEL(name, ...)                                                      \
  __global__ void __launch_bounds__(T)                                         \
      name(const float *__restrict__ x, float *__restrict__ y, int n,          \
           ##__VA_ARGS__)

// What is asked for comes from memory: a second read may see another value.
KERNEL(from_memory, const int *__restrict__ table) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int b = 0; b < n; ++b) {
    int block = table[b];
    if (block < 0)
      // CHECK: declared-breaks.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body
      break;
    s[t] = x[block * T + t];
    __syncthreads();
    acc += s[t ^ 1];
    __syncthreads();
  }
  y[t] = acc;
}

// It is made by something that is done once.
KERNEL(counted) {
  __shared__ float s[T];
  int t = threadIdx.x, next = 0;
  float acc = 0;
  // CHECK: declared-breaks.cu:[[#@LINE+1]]:3: warning: not pipelined
  for (;;) {
    int k = next++ * T;
    if (k >= n)
      // CHECK: declared-breaks.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body
      break;
    s[t] = x[k + t];
    __syncthreads();
    acc += s[t ^ 1];
    __syncthreads();
  }
  y[t] = acc;
}

// The declaration converts: what is asked is another number.
KERNEL(converted) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  // CHECK: declared-breaks.cu:[[#@LINE+1]]:3: warning: not pipelined
  for (int i = 0;; ++i) {
    unsigned char k = i * T;
    if (k >= n)
      // CHECK: declared-breaks.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body
      break;
    s[t] = x[k + t];
    __syncthreads();
    acc += s[t ^ 1];
    __syncthreads();
  }
  y[t] = acc;
}

// A number with a fraction may be rounded otherwise where it stands again.
KERNEL(fraction, float scale) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  // CHECK: declared-breaks.cu:[[#@LINE+1]]:3: warning: not pipelined
  for (int i = 0;; ++i) {
    float at = scale * i + 0.1f;
    if (at >= n)
      // CHECK: declared-breaks.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body
      break;
    s[t] = x[i * T + t];
    __syncthreads();
    acc += s[t ^ 1] * at;
    __syncthreads();
  }
  y[t] = acc;
}

// Something is stored in front of the break.
KERNEL(stored) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  // CHECK: declared-breaks.cu:[[#@LINE+1]]:3: warning: not pipelined
  for (int i = 0;; ++i) {
    int k = i * T;
    // CHECK: declared-breaks.cu:[[#@LINE+4]]:7: warning: not pipelined: 'break' leaves the loop from its body
    // CHECK: declared-breaks.cu:[[#@LINE+1]]:5: warning: not pipelined: the load region stores to 'y'
    y[t] = acc;
    if (k >= n)
      break;
    s[t] = x[k + t];
    __syncthreads();
    acc += s[t ^ 1];
    __syncthreads();
  }
}

// A continue that skips a barrier, the tile's last.
KERNEL(over_barrier, int m) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    if (k == m)
      // CHECK: declared-breaks.cu:[[#@LINE+1]]:7: warning: not pipelined: 'continue' skips part of the loop body
      continue;
    acc += s[t ^ 1];
    __syncthreads();
  }
  y[t] = acc;
}

// A continue in front of the load.
KERNEL(over_load, const int *__restrict__ mask) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    if (mask[k / T] == 0)
      // CHECK: declared-breaks.cu:[[#@LINE+1]]:7: warning: not pipelined: 'continue' skips part of the loop body
      continue;
    s[t] = x[k + t];
    __syncthreads();
    acc += s[t ^ 1];
    __syncthreads();
  }
  y[t] = acc;
}

// One that skips the step.
KERNEL(over_step, int m) {
  __shared__ float s[T];
  int t = threadIdx.x, k = 0, more = 0;
  float acc = 0;
  while (k < n) {
    __syncthreads();
    s[t] = x[k + t];
    __syncthreads();
    acc += s[t ^ 1];
    if (more++ < m)
      // CHECK: declared-breaks.cu:[[#@LINE+1]]:7: warning: not pipelined: 'continue' skips part of the loop body
      continue;
    k += T;
  }
  y[t] = acc;
}
