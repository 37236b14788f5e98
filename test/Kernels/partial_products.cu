// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles of points with several numbers each: the copy counts numbers up to
// a product, the compute counts points and their numbers. Beside them lengths
// that a cast makes shorter, and the minimum that PPCG writes.
// REQUIRES: executor
// RUN: %variants --at-least=8 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --allow-occupancy-drop -n 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK-COUNT-8: remark: pipelined K-loop: 2 stages of

#include <cuda_runtime.h>

constexpr int T = 16, D = 6;

// As k-means does.
__global__ void means(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * D];
  float best = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    int count = min(T, n - c0);
    for (int t = threadIdx.x; t < count * D; t += blockDim.x)
      s[t] = x[c0 * D + t];
    __syncthreads();
    for (int c = 0; c < count; c++) {
      float far = 0;
      for (int d = 0; d < D; d++)
        far += (s[c * D + d] - threadIdx.x) * (d + 1);
      best = best * 0.5f + far;
    }
    __syncthreads();
  }
  y[threadIdx.x] = best;
}

// Points of rows of numbers; the bound is written the other way round.
__global__ void rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[8 * 3 * 4];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += 8) {
    const int count = n - c0 < 8 ? n - c0 : 8;
    for (int t = threadIdx.x; t < 3 * 4 * count; t += blockDim.x)
      s[t] = x[c0 * 12 + t];
    __syncthreads();
    for (int c = 0; c < count; c++)
      for (int r = 0; r < 3; r++)
        for (int d = 0; d < 4; d++)
          sum = sum * 0.5f + s[c * 12 + r * 4 + d] * (threadIdx.x + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Both count numbers.
__global__ void flat(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[T * D];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += T) {
    const int numbers = min(n - c0, T) * D;
    for (int t = threadIdx.x; t < numbers; t += blockDim.x)
      s[t] = x[c0 * D + t];
    __syncthreads();
    for (int i = threadIdx.x % D; i < numbers; i += D)
      sum = sum * 0.5f + s[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Numbers of 64 bits whose difference is an int where it is less than a tile.
template <typename Index>
__global__ void casts(const float *__restrict__ x, const Index *__restrict__ offsets,
                      float *__restrict__ y) {
  __shared__ float s[T];
  const Index begin = offsets[0], end = offsets[1];
  float sum = 0;
  for (Index l = begin; l < end; l += T) {
    if (threadIdx.x < T && l + threadIdx.x < end)
      s[threadIdx.x] = x[l + threadIdx.x];
    __syncthreads();
    const int run = end - l < T ? int(end - l) : T;
    for (int k = 0; k < run; ++k)
      sum = sum * 0.5f + s[k] * (threadIdx.x + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template __global__ void casts(const float *__restrict__, const long long *__restrict__, float *__restrict__);

// The minimum itself is cut.
__global__ void cut(const float *__restrict__ x, float *__restrict__ y, long long n) {
  __shared__ float s[T];
  float sum = 0;
  for (long long l = 0; l < n; l += T) {
    const int run = static_cast<int>(min(n - l, (long long)T));
    if (threadIdx.x < T && l + threadIdx.x < n)
      s[threadIdx.x] = x[l + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < run; ++k)
      sum = sum * 0.5f + s[k] * (threadIdx.x + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Cut before it is compared: never more than what is left.
__global__ void early(const float *__restrict__ x, float *__restrict__ y, long long n) {
  __shared__ float s[T];
  float sum = 0;
  for (long long l = 0; l < n; l += T) {
    const int run = min(T, (int)(n - l));
    if (threadIdx.x < T && l + threadIdx.x < n)
      s[threadIdx.x] = x[l + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < run; ++k)
      sum = sum * 0.5f + s[k] * (threadIdx.x + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Both are cut.
__global__ void both(const float *__restrict__ x, float *__restrict__ y, long long n) {
  __shared__ float s[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (long long l = 0; l < n; l += T) {
    const int run = min(T, (int)(n - l));
    if (i < run)
      s[i] = x[l + i];
    __syncthreads();
    for (int k = 0; k < run; ++k)
      sum = sum * 0.5f + s[k] * (i + 1);
    __syncthreads();
  }
  y[i] = sum;
}

#define ppcg_min(x, y)                                                         \
  ({                                                                           \
    __typeof__(x) _x = (x);                                                    \
    __typeof__(y) _y = (y);                                                    \
    _x < _y ? _x : _y;                                                         \
  })

__global__ void generated(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[32];
  float sum = 0;
  for (int c2 = 0; c2 < n; c2 += 32) {
    for (int c4 = threadIdx.x; c4 <= ppcg_min(31, n - c2 - 1); c4 += 16)
      s[c4] = x[c2 + c4];
    __syncthreads();
    for (int c3 = 0; c3 <= ppcg_min(31, n - c2 - 1); c3 += 1)
      sum = sum * 0.5f + s[c3] * (threadIdx.x + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
const int Lengths[] = {0, 1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50, 64};
CASE(means) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * D), y = out<float>("y", 16);
    launch({1, 16}, means, x, y, n);
  }
}
CASE(rows) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * 12), y = out<float>("y", 16);
    launch({1, 16}, rows, x, y, n);
  }
}
CASE(flat) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * D), y = out<float>("y", 16);
    launch({1, 16}, flat, x, y, n);
  }
}
CASE(casts) {
  for (int n : Lengths) {
    auto x = in<float>("x", n + 3), y = out<float>("y", 32);
    auto offsets = in<long long>("offsets", 2, [&](std::size_t i) { return 3 + i * n; });
    launch({1, 32}, casts<long long>, x, offsets, y);
  }
}
CASE(cut) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 32);
    launch({1, 32}, cut, x, y, n);
  }
}
CASE(early) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 32);
    launch({1, 32}, early, x, y, n);
  }
}
CASE(both) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 32);
    launch({1, 32}, both, x, y, n);
  }
}
CASE(generated) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 16);
    launch({1, 16}, generated, x, y, n);
  }
}
#endif
