// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --schedule=specialized: what the copies are issued with hangs on the thread by
// an element of an array, or a function in front of the loop has no value for
// threads that none of the author's is; the check of the result alone refuses
// that, too.
// RUN: %kpipe rewrite --dry-run --arch=sm_90a --schedule=specialized --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not=warning:
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --dry-run --arch=sm_90a --schedule=specialized --allow-occupancy-drop %s 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=warning:

#include "Inputs/bulk_copies.h"

constexpr int T = 128;
struct Bases {
  int of[2];
};
__device__ inline void set(int *at, int value) { at[0] = value; }
__device__ inline int always(int i) {
  if (i < 128)
    return i * 3;
  else
    return 0;
}
__device__ inline int sometimes(int i) {
  if (i < 128)
    return i * 3;
}
__device__ inline int by_case(int i) {
  switch (i / 128) {
  case 0:
    return i * 3;
  }
}
enum class Half { Low, High };
__device__ inline int by_name(Half h) {
  switch (h) {
  case Half::Low:
    return 1;
  case Half::High:
    return 2;
  }
}

// What can be done: elements that are the same for all threads, a value for each.
__global__ void same_for_all(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int base[2] = {0, 1};
  base[0] = n > 3;
  const int tid = threadIdx.x;
  const int me = always(tid);
  // CHECK: [[#@LINE+2]]:3: remark: pipelined K-loop
  // ALONE: [[#@LINE+1]]:3: remark: pipelined K-loop
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base[0]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + me;
}
void run_same_for_all(const float *x, float *y, int n) { same_for_all<<<1, T>>>(x, y, n); }

// Elements that are not.
__global__ void element(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int base[2] = {0, 1};
  base[0] = threadIdx.x == 5;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'base' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base[0]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_element(const float *x, float *y, int n) { element<<<1, T>>>(x, y, n); }

__global__ void element_of_thread(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int base[2] = {0, 1};
  base[threadIdx.x & 1] = 3;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'base' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base[0]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_element_of_thread(const float *x, float *y, int n) { element_of_thread<<<1, T>>>(x, y, n); }

__global__ void of_two(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int base[1][2] = {};
  base[0][1] = threadIdx.x == 5;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'base' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base[0][1]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_of_two(const float *x, float *y, int n) { of_two<<<1, T>>>(x, y, n); }

__global__ void by_reference(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int base[2] = {};
  int &first = base[0];
  first = threadIdx.x == 5;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'base' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base[0]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_reference(const float *x, float *y, int n) { by_reference<<<1, T>>>(x, y, n); }

__global__ void by_pointer(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int base[2] = {};
  int *first = base;
  *first = threadIdx.x == 5;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'base' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base[0]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_pointer(const float *x, float *y, int n) { by_pointer<<<1, T>>>(x, y, n); }

__global__ void by_function(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  int base[2] = {};
  set(base, threadIdx.x == 5);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'base' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base[0]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_by_function(const float *x, float *y, int n) { by_function<<<1, T>>>(x, y, n); }

__global__ void of_member(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  Bases base = {};
  base.of[0] = threadIdx.x == 5;
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: what the copies are issued with depends on the thread, by 'base' [kpipe-async-shape]
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + base.of[0]) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
void run_of_member(const float *x, float *y, int n) { of_member<<<1, T>>>(x, y, n); }

// Functions that end without a value.
__global__ void no_value(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  const int tid = threadIdx.x;
  const int me = sometimes(tid);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'me' in front of the loop may do more than compute a value for any index of a thread
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + 1) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + me;
}
void run_no_value(const float *x, float *y, int n) { no_value<<<1, T>>>(x, y, n); }

__global__ void no_case(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  const int tid = threadIdx.x;
  const int me = by_case(tid);
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'me' in front of the loop may do more than compute a value for any index of a thread
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + 1) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + me;
}
void run_no_case(const float *x, float *y, int n) { no_case<<<1, T>>>(x, y, n); }

__global__ void no_name(const float *x, float *y, int n) {
  __shared__ alignas(128) float xs[T];
  __shared__ uint64_t bar;
  if (threadIdx.x == 0)
    init(&bar, 1);
  __syncthreads();
  float sum = 0;
  const int tid = threadIdx.x;
  const int me = by_name(Half(tid / (T / 2)));
  // CHECK: [[#@LINE+1]]:3: warning: not pipelined: no producer warp: the declaration of 'me' in front of the loop may do more than compute a value for any index of a thread
  for (int i = 0; i < n; ++i) {
    // ALONE: warning: not pipelined: the producer's threads would run what the author's alone can, or are to, do [kpipe-memory-order]
    if (threadIdx.x == 5) {
      expect(&bar, T * 4);
      load(xs, x + (i + 1) * T, T * 4, &bar);
    }
    wait(&bar, i & 1);
    sum += xs[threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = sum + me;
}
void run_no_name(const float *x, float *y, int n) { no_name<<<1, T>>>(x, y, n); }
