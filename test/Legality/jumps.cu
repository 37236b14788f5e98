// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jumps that no condition can stand for, and conditions that would break a rule.
// The reason is that of the author's text.
//
// RUN: %kpipe rewrite --dry-run --verbose --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not="remark: pipelined"

#include <cuda_runtime.h>

constexpr int T = 64;

#define TILE                                                                   \
  __shared__ float xs[T];                                                      \
  float sum = 0;                                                               \
  int k = 0

// Something is done in front of the break.
__global__ void done_first(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: the loop has no condition [kpipe-control-flow]
  for (;;) {
    sum += 1;
    if (k >= n)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      break;
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    k += T;
  }
  y[threadIdx.x] = sum;
}

// A second break.
__global__ void two_breaks(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: the loop has no condition [kpipe-control-flow]
  for (;;) {
    if (k >= n)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      break;
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    k += T;
    if (k > 10 * T)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      break;
  }
  y[threadIdx.x] = sum;
}

// The break asks for what the turn has computed.
__global__ void asks_result(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  while (true) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    k += T;
    if (xs[0] > 3 || k >= n)
      break;
  // CHECK: jumps.cu:[[#@LINE+1]]:12: warning: not pipelined: the loop condition reads shared memory [kpipe-control-flow]
  }
  y[threadIdx.x] = sum;
}

// Behind the body, its own variables are gone.
__global__ void asks_own(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: nothing that the loop condition reads changes from tile to tile [kpipe-control-flow]
  while (true) {
    const int next = k + T;
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    k += T;
    if (next >= n)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      break;
  }
  y[threadIdx.x] = sum;
}

// A continue passes the break by.
__global__ void passes_by(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: nothing that the loop condition reads changes from tile to tile [kpipe-control-flow]
  while (true) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    k += T;
    if (k == 3 * T)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'continue' skips part of the loop body [kpipe-control-flow]
      continue;
    if (k >= n)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      break;
  }
  y[threadIdx.x] = sum;
}

// The step of the loop is not taken when it is left.
__global__ void step_is_left_out(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: the loop has no condition [kpipe-control-flow]
  for (;; k += T) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    if (k >= n)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'break' leaves the loop from its body [kpipe-control-flow]
      break;
  }
  y[threadIdx.x] = sum + k;
}

// The condition is stored by the loop.
__global__ void asks_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  xs[0] = 0;
  // CHECK: jumps.cu:[[#@LINE+1]]:10: warning: not pipelined: the loop condition reads shared memory [kpipe-control-flow]
  for (;; k += T) {
    if (k >= n || xs[0] > 3)
      break;
    __syncthreads();
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A break within a switch ends that.
__global__ void of_switch(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: the loop has no condition [kpipe-control-flow]
  for (;;) {
    switch (n) {
    case 1:
      break;
    }
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
    k += T;
    y[k] = sum;
  }
}

// The whole turn is skipped, barriers included.
__global__ void whole_turn(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  for (; k < n; k += T) {
    if (x[k] == 0)
      // CHECK: jumps.cu:[[#@LINE+1]]:7: warning: not pipelined: 'continue' skips part of the loop body [kpipe-control-flow]
      continue;
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A label leads behind the condition.
__global__ void labelled(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: nothing before a barrier copies global memory to a shared array that is read after it [kpipe-not-a-tile-loop]
  for (; k < n; k += T) {
    for (int j = threadIdx.x; j < T; j += 32) {
      int times = 0;
      if (k + j >= n) {
        xs[j] = 0;
        continue;
      }
    again:
      xs[j] = x[k + j];
      if (++times < 2)
        goto again;
    }
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Copy loops whose body steps.
__global__ void steps_in_body(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE;
  // CHECK: jumps.cu:[[#@LINE+1]]:3: warning: not pipelined: a tile cannot be staged in registers, because the number of elements that a thread copies is not constant, so their registers cannot be counted (registers, because 'xs' is declared by a macro, so no stages can be added) [kpipe-register-shape]
  for (; k < n; k += T) {
    for (int j = threadIdx.x; j < T;) {
      if (k + j >= n) {
        xs[j] = 0;
        j += 32;
        continue;
      }
      xs[j] = x[k + j];
      j += 32;
    }
    __syncthreads();
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
