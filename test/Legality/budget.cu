// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule budget: the stages fit the shared memory of the architecture, and no
// occupancy is lost. kpipe steps down to a single buffer before it refuses.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 256;

__global__ void __launch_bounds__(T)
    fits(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: budget.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two stages of 32 KB are more than a block may have statically.
__global__ void __launch_bounds__(T)
    steps_down(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[32 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 32 * T) {
    // CHECK: budget.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: single buffer of xs, {{.*}} [kpipe-pipelined]
    // CHECK: budget.cu:[[#@LINE-2]]:3: note: single buffer, because two stages need 65536 bytes of static shared memory, and a block may declare 49152
    for (int k = 0; k < 32; ++k)
      xs[k * T + threadIdx.x] = x[i + k * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32 * T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A single buffer would need 256 registers a thread for what is on its way.
__global__ void __launch_bounds__(T / 8)
    too_large(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[32 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 32 * T) {
    // CHECK: budget.cu:[[#@LINE-1]]:3: warning: not pipelined: two stages need 65536 bytes of static shared memory, and a block may declare 49152; with a single buffer, staging needs 256 registers per thread, and about 253 of 255 are free [kpipe-budget]
    // CHECK: budget.cu:[[#@LINE-2]]:3: note: use a smaller tile
    for (int k = 0; k < 256; ++k)
      xs[k * T / 8 + threadIdx.x] = x[i + k * T / 8 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32 * T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// So would this one, for two arrays.
__global__ void __launch_bounds__(T / 8)
    two_arrays(const float *__restrict__ x, const float *__restrict__ z,
               float *__restrict__ y, int n) {
  __shared__ float xs[16 * T], zs[16 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 16 * T) {
    // CHECK: budget.cu:[[#@LINE-1]]:3: warning: not pipelined: two stages need 65536 bytes of static shared memory, and a block may declare 49152; with a single buffer, staging needs 256 registers per thread, and about 253 of 255 are free [kpipe-budget]
    // CHECK: budget.cu:[[#@LINE-2]]:3: note: use a smaller tile
    for (int k = 0; k < 128; ++k) {
      xs[k * T / 8 + threadIdx.x] = x[i + k * T / 8 + threadIdx.x];
      zs[k * T / 8 + threadIdx.x] = z[i + k * T / 8 + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 16 * T; ++j)
      sum += xs[j] * zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
