// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the header may read, and barriers that close a tile within a loop of the
// compute.
// REQUIRES: executor
// RUN: %variants --at-least=9 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not="single buffer" --implicit-check-not=warning:
// CHECK-COUNT-9: pipelined

constexpr int T = 64;

// Shared numbers that the loop only reads.
__global__ void __launch_bounds__(T)
shared_end(const float *x, float *y, int n) {
  __shared__ float xs[T];
  __shared__ int end;
  int t = threadIdx.x;
  if (t == 0)
    end = n;
  __syncthreads();
  float s = 0;
  for (int k = 0; k < end; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += xs[t ^ j] * float(j);
    __syncthreads();
  }
  y[t] = s;
}
struct Span {
  int from, to;
};
__global__ void __launch_bounds__(T)
shared_span(const float *x, float *y, int n) {
  __shared__ float xs[T];
  __shared__ Span span;
  int t = threadIdx.x;
  if (t == 0)
    span = {0, n};
  __syncthreads();
  float s = 0;
  int k = span.from;
  while (k < span.to) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += xs[t ^ j] * float(j);
    __syncthreads();
    k += T;
  }
  y[t] = s;
}
// Replaced as soon as the loop is over, behind its last barrier.
__global__ void __launch_bounds__(T)
shared_ends(const float *x, float *y, int n) {
  __shared__ float xs[T];
  __shared__ int ends[2];
  int t = threadIdx.x;
  if (t < 2)
    ends[t] = t == 0 ? n : n / T / 2 * T;
  __syncthreads();
  float s = 0;
  for (int r = 0; r < 2; ++r) {
    for (int k = 0; k < ends[r]; k += T) {
      xs[t] = x[k + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += xs[t ^ j] * float(j + r);
      __syncthreads();
    }
  }
  y[t] = s;
}

// Global memory that the stores of the loop do not reach, by promise.
__global__ void __launch_bounds__(T)
restrict_end(const float *__restrict__ x, const int *__restrict__ n,
             float *__restrict__ y) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  for (int k = 0; k < n[0]; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    y[k + t] = xs[t ^ 1] * 2;
    __syncthreads();
  }
}
__global__ void __launch_bounds__(T)
promised_end(const float *x, const int *n, float *y) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  // kpipe: assume(no-alias)
  for (int k = 0; k < *n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    y[k + t] = xs[t ^ 1] * 2;
    __syncthreads();
  }
}

// The last turn of the inner loop ends with the barrier.
__global__ void __launch_bounds__(T)
inner_barrier(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2; ++j) {
      s += xs[t ^ j];
      __syncthreads();
    }
  }
  y[t] = s;
}
__global__ void __launch_bounds__(T)
halving(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    s += xs[t ^ 3];
#pragma unroll
    for (int d = 2; d > 0; d >>= 1) {
      s += xs[t ^ d] * float(d);
      __syncthreads();
    }
  }
  y[t] = s;
}
constexpr int Passes = 3;
__global__ void __launch_bounds__(T)
passes(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int p = 0; p < Passes; ++p) {
      for (int j = p; j < T; j += Passes)
        s += xs[j] * float(t);
      __syncthreads();
    }
    s *= 0.5f;
  }
  y[t] = s;
}
// A do loop has one turn at least.
__global__ void __launch_bounds__(T)
doing(const float *x, float *y, int n) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = x[k + t];
    __syncthreads();
    int p = 0;
    do {
      for (int j = 0; j < T; ++j)
        s += xs[j ^ p] * float(t);
      ++p;
      __syncthreads();
    } while (p < n % 5);
  }
  y[t] = s;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define SUMS(K)                                                                \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
SUMS(shared_end)
SUMS(shared_span)
SUMS(shared_ends)
SUMS(inner_barrier)
SUMS(halving)
SUMS(passes)
SUMS(doing)
#define ENDS(K)                                                                \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", n);                      \
      auto e = in<int>("n", 1, [n](std::size_t) { return n; });                \
      launch({1, T}, K, x, e, y);                                              \
    }                                                                          \
  }
ENDS(restrict_end)
ENDS(promised_end)
#endif
