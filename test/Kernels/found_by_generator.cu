// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes that the generator of test/Fuzz found kpipe to get wrong, or to write
// text for that does not compile.
// REQUIRES: executor
// RUN: %variants --at-least=1 %s

constexpr int T = 32;

__device__ void fill(float *tile, const float *x, int at) {
  for (int i = threadIdx.x; i < T; i += T)
    tile[i] = x[at + i] * 0.5f;
}

__device__ float weigh(const float *tile) {
  float sum = 0.0f;
  for (int j = 0; j < T; ++j)
    sum += tile[j] * float((threadIdx.x + j) & 7);
  return sum;
}

// Both halves are given `from` and `at`; only one of them moves them on.
__global__ void __launch_bounds__(T)
moves_on(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  const float *from = x;
  int at = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    fill(xs, from, at);
    from += T / 2;
    at += T / 2;
    __syncthreads();
    sum += weigh(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What an argument is made of is made again for the half that stores.
__global__ void __launch_bounds__(T)
made_of(const float *x, float *y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    const int half = n / (2 * T) * 0;
    const int first = half + T;
    fill(xs, x, k0);
    fill(xs + first, x, k0);
    __syncthreads();
    sum += weigh(xs) - 2 * weigh(xs + T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The fill ends with a brace, like a block, but wants its semicolon.
__global__ void __launch_bounds__(T)
brace_fill(const float2 *x, float *y, int n) {
  __shared__ float2 xs[T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    if (k0 + threadIdx.x < n)
      xs[threadIdx.x] = x[k0 + threadIdx.x];
    else
      xs[threadIdx.x] = float2{};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].y * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The places come from a parenthesised declarator, of which the register's
// type is made.
__global__ void __launch_bounds__(T)
parenthesised(const float *x, float *y, int n) {
  extern __shared__ float memory[];
  float(*(tile))[8] = reinterpret_cast<float(*)[8]>(memory);
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    tile[threadIdx.x / 8][threadIdx.x % 8] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += weigh(&tile[0][0]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Where the copy loop starts is moved before the loop, below zero: how many
// elements a thread copies is not what the initial value says.
__global__ void __launch_bounds__(T)
moved_start(const float *x, float *y, int n) {
  __shared__ float xs[2 * T];
  int start = threadIdx.x;
  start -= T;
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    for (int i = start; i < T; i += T)
      xs[i + T] = x[k0 + threadIdx.x] * float(i);
    __syncthreads();
    sum += weigh(xs) - weigh(xs + T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Code after the block that holds the loop reads the tile.
__global__ void __launch_bounds__(T)
read_outside(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  if (n > 0) {
    for (int k0 = 0; k0 < n; k0 += T) {
      xs[threadIdx.x] = x[k0 + threadIdx.x];
      __syncthreads();
      sum += weigh(xs);
      __syncthreads();
    }
  }
  y[threadIdx.x] = n > 0 ? sum + xs[(threadIdx.x + 1) % T] : sum;
}

// A value of class type goes into an object of its own before it is assigned.
__global__ void __launch_bounds__(T)
class_value(float4 *x, float *y, int n) {
  __shared__ float4 xs[T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = __ldg(&x[k0 + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x - xs[j].w * float(threadIdx.x + j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class Kernel> void sum_up(Kernel kernel, std::size_t bytes = 0) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T, bytes}, kernel, x, y, n);
  }
}
CASE(moves_on) { sum_up(moves_on); }
CASE(made_of) { sum_up(made_of); }
CASE(parenthesised) { sum_up(parenthesised, T * sizeof(float)); }
CASE(moved_start) { sum_up(moved_start); }
CASE(read_outside) { sum_up(read_outside); }
CASE(class_value) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T);
    launch({1, T}, class_value, x.as<float4>(), y, n);
  }
}
CASE(brace_fill) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 2 * n), y = out<float>("y", T);
    launch({1, T}, brace_fill, x.as<float2>(), y, n);
  }
}
#endif
