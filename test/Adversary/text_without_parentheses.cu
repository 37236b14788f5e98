// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop asks whether another tile comes by its condition with the stepped value
// pasted in: operators of lower precedence, macros that end in an operator, and
// types that wrap make another condition of it.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=3 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
bits_of_a_mask(const float *__restrict__ x, float *__restrict__ y,
               unsigned mask) {
  __shared__ float xs[T];
  float sum = 0;
  for (unsigned m = mask; m != 0; m &= m - 1) {
    int tile = __ffs(m) - 1;
    xs[threadIdx.x] = x[tile * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
step_by_choice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  bool wide = n > 3 * T;
  for (int i = 0; i < n; i = wide ? i + 2 * T : i + T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
bound_by_choice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  bool all = n > 3 * T;
  for (int i = 0; all ? i < n : i < n - T; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A macro's sum without parentheses is subtracted: n - T - 32 + 32.
#define HALVES T / 2 + T / 2
__global__ void __launch_bounds__(T)
macro_step_down(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = n; i > 0; i -= HALVES) {
    xs[threadIdx.x] = x[i - T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#define LAST n - T
#define NEXT(i) i + T
__global__ void __launch_bounds__(T)
macro_bound(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i <= LAST; i = NEXT(i)) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Bitwise steps: `t | 4 != n`, `t << 1 < n`, `t ^ 1 ...`.
__global__ void __launch_bounds__(T)
step_by_or(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int all = (1 << n / T) - 1;
  int bit = 1;
  for (int seen = 0; seen != all; seen |= bit, bit <<= 1) {
    xs[threadIdx.x] = x[__popc(seen) * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
step_by_and(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = n; i > 0; i = i - 1 & -T) {
    xs[threadIdx.x] = x[(i - 1 & -T) + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
step_by_shift(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int tiles = n / T;
  for (int t = 1; t <= tiles; t = t << 1 | 1) {
    xs[threadIdx.x] = x[(t - 1) * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A condition of two parts, and one whose variable stands on the right.
__global__ void __launch_bounds__(T)
condition_of_parts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; n - i > 0 && !(i & n & 1); i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A type that wraps: 256 is 0 again.
__global__ void __launch_bounds__(T)
wrapping_variable(const float *__restrict__ x, float *__restrict__ y,
                  int tiles) {
  __shared__ float xs[T];
  float sum = 0;
  for (unsigned char t = 256 - tiles; t != 0; ++t) {
    xs[threadIdx.x] = x[(t + tiles - 256) * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
step_by_value(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  unsigned back = n > 3 * T ? -2 * T : -T;
  for (int i = 0; i < n; i -= int(back)) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
sum_of_constants_legal(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T / 2 + T / 2) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
step_down_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = n; i > 0; i -= (T / 2 + T / 2)) {
    xs[threadIdx.x] = x[i - T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
bound_chosen_before_legal(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < (n > 3 * T ? n : n - T); i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
CASE(bits_of_a_mask) {
  for (unsigned m : {0u, 1u, 2u, 6u, 5u, 7u, 12u, 254u, 170u}) {
    auto x = in<float>("x", 8 * T), y = out<float>("y", T);
    launch({1, T}, bits_of_a_mask, x, y, m);
  }
}
TILES(step_by_choice)
TILES(bound_by_choice)
TILES(macro_step_down)
TILES(macro_bound)
TILES(step_by_or)
TILES(step_by_and)
TILES(step_by_shift)
TILES(condition_of_parts)
CASE(wrapping_variable) {
  for (int tiles : multiples(1)) {
    auto x = in<float>("x", T * tiles), y = out<float>("y", T);
    launch({1, T}, wrapping_variable, x, y, tiles);
  }
}
TILES(step_by_value)
TILES(sum_of_constants_legal)
TILES(step_down_legal)
TILES(bound_chosen_before_legal)
#endif
