// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rule load-effects: the load region does nothing but fill staged arrays. It
// runs a tile earlier than in the input, and nobody may notice.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=note:

#include <cassert>
#include <cstdio>

constexpr int T = 64;

// Helpers that compute, and assertions, are no effects.
__device__ float half_of(float v) { return v / 2; }
__global__ void computes(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: load-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs, {{.*}} [kpipe-pipelined]
    assert(i % T == 0);
    xs[threadIdx.x] = half_of(x[i + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void prints(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    printf("%d", i);
    // CHECK: load-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the load region calls 'printf' [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void stores(const float *__restrict__ x, float *__restrict__ y,
                       int n, float *__restrict__ log) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    log[i] = 1;
    // CHECK: load-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the load region stores to 'log' [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Also where its result is for the compute region.
__global__ void counts(const float *__restrict__ x, float *__restrict__ y,
                       int n, int *__restrict__ counter) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int c = atomicAdd(counter, 1);
    // CHECK: load-effects.cu:[[#@LINE-1]]:23: warning: not pipelined: the load region performs an atomic operation on 'counter' [kpipe-load-effects]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    sum *= c;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void volatile_source(const volatile float *__restrict__ x,
                                float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: load-effects.cu:[[#@LINE-1]]:23: warning: not pipelined: the load region makes a volatile access [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void uncached(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldcv(&x[i + threadIdx.x]);
    // CHECK: load-effects.cu:[[#@LINE-1]]:30: warning: not pipelined: the load region makes a volatile access [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

extern "C" __device__ float elsewhere(float);
__global__ void unknown_call(const float *__restrict__ x, float *__restrict__ y,
                             int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = elsewhere(x[i + threadIdx.x]);
    // CHECK: load-effects.cu:[[#@LINE-1]]:23: warning: not pipelined: the load region calls 'elsewhere', which kpipe cannot analyze [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Called through a pointer.
__global__ void function_pointer(float (*f)(float), const float *__restrict__ x,
                                 float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = f(x[i + threadIdx.x]);
    // CHECK: load-effects.cu:[[#@LINE-1]]:23: warning: not pipelined: the load region calls a function pointer, which kpipe cannot analyze [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An opcode that kpipe does not know.
__global__ void unknown_asm(const float *__restrict__ x, float *__restrict__ y,
                            int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(x + i));
    // CHECK: load-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the load region has inline assembly that kpipe does not understand: 'discard.global.L2' [kpipe-load-effects]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A destructor runs at the end of the scope, which is divided.
struct Guard {
  int *p;
  __device__ ~Guard() { ++*p; }
};
__global__ void destructor(const float *__restrict__ x, float *__restrict__ y,
                           int n, int *__restrict__ p) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Guard g{p};
    // CHECK: load-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the load region calls a destructor, which kpipe cannot analyze [kpipe-load-effects]
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The name of a toolkit function does not make one.
__device__ int last;
__device__ float __shfl_tile(float v) {
  last = v;
  return v;
}
__global__ void borrowed_name(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __shfl_tile(x[i + threadIdx.x]);
    // CHECK: load-effects.cu:[[#@LINE-1]]:23: warning: not pipelined: the load region stores to 'last' [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A return is one more condition of the stores behind it.
__device__ void bring(float *xs, const float *x, int i, int n) {
  if (i >= n)
    return;
  xs[threadIdx.x] = x[i];
}
__global__ void returns_early(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    bring(xs, x, i + threadIdx.x, n);
    // CHECK: load-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the load region fills shared memory in a helper that returns early [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// An assignment operator gives its object.
struct Halved {
  float v;
  __device__ Halved &operator=(float a) {
    v = a / 2;
    return *this;
  }
};
__global__ void gives_a_value(const float *__restrict__ x,
                              float *__restrict__ y, int n) {
  __shared__ Halved xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    // CHECK: load-effects.cu:[[#@LINE-1]]:5: warning: not pipelined: the load region fills shared memory in a helper that returns a value [kpipe-load-effects]
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The clock is read once, where it stands.
__global__ void timed_load(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    long long now = clock64();
    // CHECK: load-effects.cu:[[#@LINE-1]]:21: warning: not pipelined: the load region calls 'clock64' [kpipe-load-effects]
    xs[threadIdx.x] = x[i + threadIdx.x] + float(now & 1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(now & 3);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void timed_compute(const float *__restrict__ x, float *__restrict__ y, long long *__restrict__ spent, int n) {
  __shared__ float xs[T];
  float sum = 0;
  long long all = 0;
  for (int i = 0; i < n; i += T) {
    // CHECK: load-effects.cu:[[#@LINE-1]]:3: remark: pipelined K-loop: 2 stages of xs
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    long long now = clock64();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    all += clock64() - now;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
  spent[threadIdx.x] = all;
}
