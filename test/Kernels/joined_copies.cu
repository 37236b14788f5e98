// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several copies joined by commas, and calls that the compiler evaluates.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK-COUNT-3: remark: pipelined K-loop: 2 stages of xs

constexpr int T = 64;
__global__ void __launch_bounds__(T)
    pairs(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    const int at = k + t;
    xs[t] = x[at] * 2, xs[t + T] = x[at + T];
    (xs[t + 2 * T] = x[at] + 1, (xs[t + 3 * T] = x[at + 2]));
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * float(t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// A recursive function, which only the compiler runs.
constexpr __host__ __device__ int log_of(int n, int steps = 0) {
  return n <= 1 ? steps : log_of(n / 2, steps + 1);
}
__global__ void __launch_bounds__(T)
    constants(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    constexpr int Shift = log_of(T);
    xs[t] = x[k + t] * float(log_of(16));
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((t ^ j) << Shift);
    __syncthreads();
  }
  y[t] = sum;
}
// A member function of a constant.
struct Widths {
  int columns;
  constexpr __device__ int rows() const { return 2 * columns; }
};
__global__ void __launch_bounds__(T)
    constant_members(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    constexpr Widths W{4};
    xs[t] = x[k + t] + float(W.rows());
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float((t ^ j) + W.rows());
    __syncthreads();
  }
  y[t] = sum;
}

// One store's value is another's.
// CHECK: warning: not pipelined: the load region reads 'xs', which the loop
// writes
__global__ void __launch_bounds__(T)
    chained(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    xs[t] = xs[t + T] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * float(t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
// A step between two copies.
// CHECK: warning: not pipelined: one statement makes several copies; write a statement for each [kpipe-register-shape]
__global__ void __launch_bounds__(T)
    stepped(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    int at = k + t;
    xs[t] = 2 * x[at], ++at, xs[t + T] = 2 * x[at];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * float(t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}
#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME)                                                             \
  CASE(NAME) {                                                                 \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      launch({1, T}, NAME, x, y, n);                                           \
    }                                                                          \
  }
EACH(pairs)
EACH(constants)
EACH(constant_members)
EACH(chained)
EACH(stepped)
#endif
