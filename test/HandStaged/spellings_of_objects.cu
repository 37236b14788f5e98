// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are staged by hand, where what chooses a buffer is a part of an
// object, is stepped in a condition, or changes places in a call; and neighbours
// that are no pipelines, or of which it is not known.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=already
// RUN: %kpipe analyze --arch=sm_86 %s 2>&1 | FileCheck %s --check-prefix=TABLE
// TABLE: 12 loops: 6 refused, 6 already pipelined

#include <cuda_pipeline.h>

constexpr int T = 128;
struct State {
  int buf;
  const float *from;
};
struct Tiles {
  float a[2][T];
};

__global__ void __launch_bounds__(T)
part_of_object(const float *x, float *y, int n) {
  __shared__ Tiles s;
  State at{0, x};
  float sum = 0;
  s.a[at.buf][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    float r = 0;
    if (k + T < n)
      r = x[k + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s.a[at.buf][j] * float(threadIdx.x ^ j);
    if (k + T < n)
      s.a[at.buf ^ 1][threadIdx.x] = r;
    __syncthreads();
    at.buf ^= 1;
  }
  y[threadIdx.x] = sum;
}

// Defaults of members, and a pointer that steps.
struct Ring {
  float *base;
  int read = 0, write = 1;
};
__global__ void __launch_bounds__(T)
defaults(const float *x, float *y, int n) {
  __shared__ float s[2 * T];
  Ring r{s};
  float sum = 0;
  r.base[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    float next = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += r.base[r.read * T + j] * float(threadIdx.x ^ j);
    r.base[r.write * T + threadIdx.x] = next;
    __syncthreads();
    r.read = r.write;
    r.write = 1 - r.write;
  }
  y[threadIdx.x] = sum;
}

template <class P> __device__ void exchange(P &a, P &b) {
  P kept = a;
  a = b;
  b = kept;
}
__global__ void __launch_bounds__(T)
exchanged(const float *x, float *y, int n) {
  __shared__ float a[T], b[T];
  float *cur = a, *next = b;
  float sum = 0;
  cur[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    float r = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    next[threadIdx.x] = r;
    __syncthreads();
    exchange(cur, next);
  }
  y[threadIdx.x] = sum;
}

// A ring whose indices are stepped in conditions.
template <int S>
__global__ void __launch_bounds__(T)
stepped_in_condition(const float *x, float *y, int n) {
  __shared__ float s[S][T];
  float sum = 0;
  int read = 0, write = S - 1;
  for (int i = 0; i < S - 1; ++i) {
    if (i * T < n)
      __pipeline_memcpy_async(&s[i][threadIdx.x], &x[i * T + threadIdx.x], 4);
    __pipeline_commit();
  }
  for (int k = 0; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: remark: already pipelined: 3 to 4 stages, cp.async [kpipe-already-pipelined]
    __pipeline_wait_prior(S - 2);
    __syncthreads();
    if (k + (S - 1) * T < n)
      __pipeline_memcpy_async(&s[write][threadIdx.x],
                              &x[k + (S - 1) * T + threadIdx.x], 4);
    __pipeline_commit();
    for (int j = 0; j < T; ++j)
      sum += s[read][j] * float(threadIdx.x ^ j);
    write = read;
    if (++read == S)
      read = 0;
  }
  y[threadIdx.x] = sum;
}

template <int S>
__global__ void __launch_bounds__(T)
next_of_ring(const float *x, float *y, int n) {
  __shared__ float s[S][T];
  float sum = 0;
  int stage = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    const int next = (stage + 1) % S;
    if (k + T < n)
      s[next][threadIdx.x] = x[k + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[stage][j] * float(threadIdx.x ^ j);
    __syncthreads();
    stage = next;
  }
  y[threadIdx.x] = sum;
}

// An object that is made anew in each turn.
__global__ void __launch_bounds__(T)
made_in_turn(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: remark: already pipelined: 2 stages, registers [kpipe-already-pipelined]
    State at{k / T % 2, x};
    float r = 0;
    if (k + T < n)
      r = x[k + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[at.buf][j] * float(threadIdx.x ^ j);
    at.buf ^= 1;
    if (k + T < n)
      s[at.buf][threadIdx.x] = r;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// It is flipped twice: the tile that is read is stored as well.
__global__ void __launch_bounds__(T)
flipped_twice(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  State at{0, x};
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined:
    float r = x[k + threadIdx.x];
    at.buf ^= 1;
    for (int j = 0; j < T; ++j)
      sum += s[at.buf][j] * float(threadIdx.x ^ j);
    s[at.buf][threadIdx.x] = r;
    __syncthreads();
    at.buf ^= 1;
  }
  y[threadIdx.x] = sum;
}

// The object is known by its address.
__device__ void flip(State *at) { at->buf = 0; }
__global__ void __launch_bounds__(T)
given_away(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  State at{0, x};
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined:
    float r = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[at.buf][j] * float(threadIdx.x ^ j);
    s[at.buf ^ 1][threadIdx.x] = r;
    __syncthreads();
    at.buf ^= 1;
    flip(&at);
  }
  y[threadIdx.x] = sum;
}

// And by a reference.
__global__ void __launch_bounds__(T)
by_reference(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  State at{0, x};
  int &buf = at.buf;
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined:
    float r = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[at.buf][j] * float(threadIdx.x ^ j);
    s[at.buf ^ 1][threadIdx.x] = r;
    __syncthreads();
    buf = 0;
    at.buf ^= 1;
  }
  y[threadIdx.x] = sum;
}

// A function that looks like one that exchanges, and loses a pointer.
template <class P> __device__ void lose(P &a, P &b) {
  P kept = b;
  a = b;
  b = kept;
}
__global__ void __launch_bounds__(T)
lost(const float *x, float *y, int n) {
  __shared__ float a[T], b[T];
  float *cur = a, *next = b;
  float sum = 0;
  cur[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined:
    float r = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += cur[j] * float(threadIdx.x ^ j);
    next[threadIdx.x] = r;
    __syncthreads();
    lose(cur, next);
  }
  y[threadIdx.x] = sum;
}

// What a condition that is not known changes is not known any more.
__global__ void __launch_bounds__(T)
changed_sometimes(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  State at{0, x};
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined:
    float r = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[at.buf][j] * float(threadIdx.x ^ j);
    s[at.buf ^ 1][threadIdx.x] = r;
    __syncthreads();
    if (y[k] > 0)
      at.buf ^= 1;
  }
  y[threadIdx.x] = sum;
}

// A closure changes it.
__global__ void __launch_bounds__(T)
changed_by_closure(const float *x, float *y, int n) {
  __shared__ float s[2][T];
  State at{0, x};
  auto reset = [&] { at.buf = 0; };
  float sum = 0;
  s[0][threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int k = T; k < n; k += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined:
    float r = x[k + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += s[at.buf][j] * float(threadIdx.x ^ j);
    s[at.buf ^ 1][threadIdx.x] = r;
    __syncthreads();
    at.buf ^= 1;
    reset();
  }
  y[threadIdx.x] = sum;
}

template __global__ void stepped_in_condition<3>(const float *, float *, int);
template __global__ void stepped_in_condition<4>(const float *, float *, int);
template __global__ void next_of_ring<2>(const float *, float *, int);
template __global__ void next_of_ring<3>(const float *, float *, int);
