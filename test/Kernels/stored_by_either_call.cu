// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that say which function fills a tile, not whether one does: full
// tiles are loaded without a guard, the last one with it. The tile is rewritten
// in each iteration and has two stages.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK-COUNT-5: remark: pipelined K-loop: 2 stages

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

// Two instances of a template.
template <bool Full>
__device__ void load(float *s, const float *__restrict__ x, int k, int n) {
  if (Full || k + int(threadIdx.x) < n)
    s[threadIdx.x] = x[k + threadIdx.x];
  else
    s[threadIdx.x] = 0;
}
BEGIN(instances) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k + T <= n)
      load<true>(xs, x, k, n);
    else
      load<false>(xs, x, k, n);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two functions, with loops and variables of their own.
__device__ void load_rows(float (&rows)[4][T], const float *__restrict__ x, int k) {
  const int t = threadIdx.x;
  for (int r = 0; r < 4; ++r)
    rows[r][t] = x[k + r * T + t];
}
__device__ void load_some(float (&rows)[4][T], const float *__restrict__ from, int k, int n) {
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) {
    const int at = k + i * T + t;
    rows[i][t] = at < n ? from[at] : 0.0f;
  }
}
BEGIN(functions) {
  __shared__ float rows[4][T];
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    if (k + 4 * T <= n) {
      load_rows(rows, x, k);
    } else {
      load_some(rows, x, k, n);
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (rows[0][j] + rows[1][j] * 2 + rows[2][j] * 3 + rows[3][j]) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One function, given another memory to load from.
__device__ void load_from(float *s, const float *__restrict__ from, int at) {
  s[at % T] = from[at];
}
__global__ void __launch_bounds__(T)
one_of_two(const float *__restrict__ x, const float *__restrict__ z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    if (k & T)
      load_from(xs + t, z + k + t, 0);
    else
      load_from(xs + t, x + k + t, 0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// Two tiles in each arm, and a chain of conditions.
BEGIN(chain) {
  __shared__ float as[T], bs[T];
  float sum = 0;
  for (int k = 0; k + T < n; k += T) {
    if (k + 2 * T <= n) {
      load<true>(as, x, k, n);
      load<true>(bs, x, k + T, n);
    } else if (k & T) {
      load<true>(as, x, k, n);
      load<false>(bs, x, k + T, n);
    } else {
      load<false>(as, x, k, n);
      load<false>(bs, x, k + T, n);
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += as[j] * bs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The place is an argument: a row of the tile for each warp.
template <bool Full>
__device__ void load_row(float *s, int pitch, const float *__restrict__ x, int k, int n) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = lane; i < 64; i += 32) {
    if constexpr (Full) {
      s[warp * pitch + i] = x[k + warp * 64 + i];
    } else {
      s[warp * pitch + i] = k + warp * 64 + i < n ? x[k + warp * 64 + i] : 0.0f;
    }
  }
}
BEGIN(of_warps) {
  __shared__ float xs[2 * 68];
  float sum = 0;
  for (int k = 0; k < n; k += 128) {
    if (k + 128 <= n)
      load_row<true>(xs, 68, x, k, n);
    else
      load_row<false>(xs, 68, x, k, n);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * xs[68 + (j ^ (threadIdx.x & 7))];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void sums(void (*kernel)(const float *, float *, int)) {
  for (int n : {0, 1, 63, 64, 65, 128, 200, 256, 500, 1024}) {
    auto x = in<float>("x", n + 1), y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(instances) { sums(instances); }
CASE(functions) { sums(functions); }
CASE(one_of_two) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), z = in<float>("z", n), y = out<float>("y", T);
    launch({1, T}, one_of_two, x, z, y, n);
  }
}
CASE(chain) { sums(chain); }
CASE(of_warps) { sums(of_warps); }
#endif
