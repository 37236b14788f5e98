// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One-stage loops of the copy engine whose copies go to another half of the array
// in each turn, by whatever makes it so; the check of the result alone refuses
// them, too.
// RUN: %kpipe rewrite --dry-run --arch=sm_90a %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_90a %s 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=warning:

#include "Inputs/bulk_copies.h"

constexpr int T = 128;
struct Place {
  int at;
};
__device__ inline void set(int &o, int i) { o = (i & 1) * T; }
__device__ inline void set_at(int *o, int i) { *o = (i & 1) * T; }
__device__ inline float *half(float *p, int i) { return p + (i & 1) * T; }

// The same half in each turn.
__global__ void one_place(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop: {{.*}}stages of xs, copy engine
  // ALONE: [[#@LINE+1]]:3: remark: pipelined K-loop: {{.*}}stages of xs, copy engine
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 0) {
      const int o = (n & 1) * T;
      expect(&bar, T * 4);
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Another one.
__global__ void by_condition(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o = 0;
      if (i & 1)
        o = T;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_step(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o = 0;
      if (i & 1)
        ++o;
      o *= T;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_loop(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o = 0;
      for (int q = 0; q < (i & 1); ++q)
        o += T;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_choice(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o = 0;
      (i & 1) ? o = T : o = 0;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_element(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o[1];
      o[0] = (i & 1) * T;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o[0], x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_member(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      Place o;
      o.at = (i & 1) * T;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o.at, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_reference(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o = 0;
      int &r = o;
      r = (i & 1) * T;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_parameter(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o;
      set(o, i);
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_address(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      int o;
      set_at(&o, i);
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(xs + o, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_pointer(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      float *p = xs;
      if (i & 1)
        p = xs + T;
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(p, x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void by_result(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[2 * T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    // ALONE: [[#@LINE+1]]:5: warning: not pipelined: a copy of the engine goes to another place, or is not made, in another tile [kpipe-memory-order]
    if (threadIdx.x == 0) {
      expect(&bar, T * 4);
      // CHECK: [[#@LINE+1]]:7: warning: not pipelined: one-stage TMA loop: where or whether 'load' copies differs from tile to tile [kpipe-foreign-async]
      load(half(xs, i), x + i * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum = sum * 0.5f + xs[threadIdx.x] + 3 * xs[threadIdx.x + T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
