// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule may-alias: where a loop loads the element that it stores in each turn, nobody
// is offered the promise that it does not.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

constexpr int T = 64;

// Sweeps over one tile: nobody can promise that no iteration loads what another
// stores.
__global__ void sweeps(float *u, const float *__restrict__ f, int n, int turns) {
  __shared__ float s[T];
  const int x = blockIdx.x * T + threadIdx.x;
  for (int turn = 0; turn < turns; ++turn) {
    s[threadIdx.x] = u[x];
    __syncthreads();
    u[x] = 0.5f * (s[threadIdx.x] + s[(threadIdx.x + 1) % T]) - f[x];
    // CHECK: stored-for-next.cu:[[#@LINE-1]]:5: warning: not pipelined: each iteration loads what the one before it stored to 'u' [kpipe-may-alias]
    // CHECK: stored-for-next.cu:[[#@LINE-4]]:22: note: the load region reads it here
    __syncthreads();
  }
}

// Another element each time: that may be promised.
__global__ void marches(float *u, int n) {
  __shared__ float s[T];
  for (int i = 0; i < n; i += T) {
    const int x = i + threadIdx.x;
    s[threadIdx.x] = u[x];
    __syncthreads();
    u[x] = s[threadIdx.x] + s[(threadIdx.x + 1) % T];
    // CHECK: stored-for-next.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'u' and also loads from it [kpipe-may-alias]
    // CHECK: stored-for-next.cu:[[#@LINE-4]]:22: note: the load region reads it here
    // CHECK: stored-for-next.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
}

// The first turn alone loads: so it may.
__global__ void first_alone(float *u, const float *__restrict__ f, int n) {
  __shared__ float s[T];
  const int x = blockIdx.x * T + threadIdx.x;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = i == 0 ? u[x] : f[i + threadIdx.x];
    __syncthreads();
    u[x] = s[threadIdx.x] + s[(threadIdx.x + 1) % T];
    // CHECK: stored-for-next.cu:[[#@LINE-1]]:5: warning: not pipelined: the loop stores to 'u' and also loads from it [kpipe-may-alias]
    // CHECK: stored-for-next.cu:[[#@LINE-4]]:22: note: the load region reads it here
    // CHECK: stored-for-next.cu:[[#@LINE-3]]:5: note: write '// kpipe: assume(no-alias)' above the loop if no later iteration loads what it stores
    __syncthreads();
  }
}
