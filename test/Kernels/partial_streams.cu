// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of sparse matrices and bags of an embedding, as libraries write them:
// bounds that __ldg loads, turns that threads skip each for itself, strides by
// the name of the block's size.
// REQUIRES: executor
// RUN: %variants --at-least=4 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --allow-occupancy-drop -n 2>&1 | FileCheck %s --implicit-check-not="single buffer"
// CHECK-COUNT-4: remark: pipelined K-loop: 2 stages of

#include <cuda_runtime.h>

constexpr int T = 32;

// What __ldg loads nobody stores: the bounds are the same for all threads.
__global__ void spmm(const int *rows, const int *columns, const float *values, const float *b,
                     float *c, int width) {
  __shared__ int index[T];
  __shared__ float value[T];
  const int start = __ldg(rows + blockIdx.x), end = __ldg(&rows[blockIdx.x + 1]);
  for (int f0 = 0; f0 < width; f0 += T) {
    const int f = f0 + threadIdx.x;
    float sum = 0;
    for (int base = start; base < end; base += T) {
      const int e = base + (int)threadIdx.x;
      if (e < end) {
        index[threadIdx.x] = __ldg(columns + e);
        value[threadIdx.x] = __ldg(values + e);
      }
      __syncthreads();
      const int n = end - base < T ? end - base : T;
      for (int i = 0; i < n; ++i)
        sum = sum * 0.5f + value[i] * __ldg(b + index[i] * width + f);
      __syncthreads();
    }
    c[blockIdx.x * width + f] = sum;
  }
}

// Each thread skips what it does not want.
__global__ void bag(const int *__restrict__ input, const long long *__restrict__ offsets,
                    const float *__restrict__ weight, float *__restrict__ out, int padding,
                    int bags) {
  __shared__ int index[T];
  for (int bag = blockIdx.x; bag < bags; bag += gridDim.x) {
    const long long begin = bag == 0 ? 0 : offsets[bag], end = offsets[bag + 1];
    float sum = 0;
    for (long long e = begin; e < end; e += T) {
      if (threadIdx.x < T && e + threadIdx.x < end)
        index[threadIdx.x] = input[e + threadIdx.x];
      __syncthreads();
      const int count = end - e < T ? end - e : T;
      for (int i = 0; i < count; ++i) {
        if (index[i] % 5 == padding + (int)threadIdx.x % 2)
          continue;
        sum = sum * 0.5f + weight[index[i] * T + threadIdx.x];
      }
      __syncthreads();
    }
    out[bag * T + threadIdx.x] = sum;
  }
}

// Each thread looks until it has found something.
__global__ void find(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int s[T];
  int found = 0;
  for (int t = 0; t < n; t += T) {
    if (t + (int)threadIdx.x < n)
      s[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < min(T, n - t); ++i) {
      if (s[i] % T == (int)threadIdx.x) {
        found += t + i;
        break;
      }
      switch (s[i] % 3) {
      case 0:
        ++found;
        break;
      default:
        found ^= i;
      }
    }
    __syncthreads();
  }
  y[threadIdx.x] = found;
}

// The step is the size of the block by another name.
__global__ void named(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float s[2 * T];
  const int id = threadIdx.x, step = blockDim.x;
  float sum = 0;
  for (int t = 0; t < n; t += 2 * T) {
    const int run = min(2 * T, n - t);
    for (int i = id; i < run; i += step)
      s[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < run; ++j)
      sum = sum * 0.5f + s[j] * (id + 1);
    __syncthreads();
  }
  y[id] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
const int Lengths[] = {0, 1, 31, 32, 33, 63, 64, 65, 100, 128};
CASE(spmm) {
  const int Row[] = {0, 0, 1, 34, 66, 131, 160};
  auto rows = in<int>("rows", 7, [&](std::size_t i) { return Row[i]; });
  auto columns = in<int>("columns", 160, [](std::size_t i) { return int(i * 7 % 11); });
  auto values = in<float>("values", 160), b = in<float>("b", 11 * 2 * T);
  auto c = out<float>("c", 6 * 2 * T);
  launch({6, T}, spmm, rows, columns, values, b, c, 2 * T);
}
CASE(bag) {
  const int Begin[] = {0, 3, 3, 40, 72, 150};
  auto offsets = in<long long>("offsets", 6, [&](std::size_t i) { return Begin[i]; });
  auto input = in<int>("input", 150, [](std::size_t i) { return int(i * 7 % 11); });
  auto weight = in<float>("weight", 11 * T);
  auto out_ = out<float>("out", 5 * T);
  launch({2, T}, bag, input, offsets, weight, out_, 1, 5);
}
CASE(find) {
  for (int n : Lengths) {
    auto x = in<int>("x", n, [](std::size_t i) { return int(i * 13 % 71); });
    auto y = out<int>("y", T);
    launch({1, T}, find, x, y, n);
  }
}
CASE(named) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, named, x, y, n);
  }
}
#endif
