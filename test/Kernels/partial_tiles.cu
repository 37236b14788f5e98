// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Last tiles that are stored in part, and read in that part alone: what they
// leave out is what an earlier tile of their stage left there, and nobody looks.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite %s --arch=sm_80 --variant=cp-async --stages=3 --allow-occupancy-drop -o %t.cu 2> %t.err
// RUN: FileCheck %s --input-file=%t.err --implicit-check-not="single buffer"
// RUN: %code %t.cu | FileCheck %s --check-prefix=CODE
// CHECK-COUNT-10: remark: pipelined K-loop: 3 stages of

#include <cuda_runtime.h>

constexpr int T = 32;

// Stores and reads ask the same, of unsigned numbers and of signed ones.
// CODE-LABEL: asked(
// CODE: if (t + threadIdx.x < n)
// CODE: copy_async(
__global__ void asked(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    if (t + threadIdx.x < n)
      xs[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T && t + j < n; ++j)
      sum = sum * 0.5f + xs[j] * (threadIdx.x + 1);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// How many are left, as the lesser of two numbers; structures.
struct alignas(16) Body {
  float x, y, z, mass;
};
__global__ void bodies(const Body *__restrict__ all, float *__restrict__ force, int n) {
  __shared__ Body tile[T];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Body own = all[i % n];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    const int left = min(T, n - t);
    const int lane = threadIdx.x;
    if (lane < left)
      tile[lane] = all[t + lane];
    __syncthreads();
    for (int j = 0; j < left; ++j) {
      const Body other = tile[j];
      sum += (other.x - own.x) * other.mass + tile[j].y * own.z;
    }
    __syncthreads();
  }
  force[i] = sum;
}

// The rest of an unsigned bound that the loop is below.
__global__ void rest(const float *__restrict__ x, float *__restrict__ y, unsigned n) {
  __shared__ float xs[T];
  float sum = 0;
  for (unsigned t = 0; t < n; t += T) {
    const unsigned left = min((unsigned)T, n - t);
    if (threadIdx.x < left)
      xs[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < left; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Rows of a tile are left out, whole.
__global__ void rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[8][T + 1];
  float sum = 0;
  for (int t = 0; t < n; t += 8) {
    const int number = n - t < 8 ? n - t : 8;
    if (threadIdx.y < number)
      xs[threadIdx.y][threadIdx.x] = x[(t + threadIdx.y) * T + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < number; ++r)
      for (int c = 0; c < T; ++c)
        sum = sum * 0.5f + xs[r][c] * (c + threadIdx.y);
    __syncthreads();
  }
  y[threadIdx.y * T + threadIdx.x] = sum;
}

// Both ends of a tile of two dimensions; the reads ask more than the stores.
__global__ void corner(const float *__restrict__ x, float *__restrict__ y, int rows, int n) {
  __shared__ float xs[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += 8) {
    if (ty < rows && t + tx < n)
      xs[ty][tx] = x[ty * n + t + tx];
    __syncthreads();
    if (ty < rows)
      for (int j = 0; j < 8; ++j)
        if (t + j < n - 1)
          sum = sum * 0.5f + xs[ty][j] + (j > 0 ? xs[ty][j - 1] : 0);
    __syncthreads();
  }
  y[ty * 8 + tx] = sum;
}

// Several elements of a thread, in a loop that goes to the end of what is left.
__global__ void __launch_bounds__(16)
strided(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int t = 0; t < n; t += T) {
#pragma unroll
    for (int i = 0; i < T; i += 16)
      if (t + i + (int)threadIdx.x < n)
        xs[i + threadIdx.x] = x[t + i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      if (t + j >= n)
        break;
      sum = fmaf(xs[j], 0.5f, sum * 0.25f);
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A thread reads what it stored itself, and one before it.
__global__ void own(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  for (int t = 0; t < n; t += T) {
    if (t + i < n)
      xs[i] = x[t + i];
    __syncthreads();
    if (t + i < n && i > 0)
      y[t + i] = xs[i] - xs[i - 1];
    __syncthreads();
  }
}

// `<=`, a tile that the index counts, and a loop behind another one.
__global__ void counted(const float *__restrict__ x, float *__restrict__ y, int last, int runs) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int r = 0; r < runs; ++r)
    for (int tile = 0; tile * T <= last; ++tile) {
      if (tile * T + i <= last)
        xs[i] = x[tile * T + i];
      __syncthreads();
      for (int j = 0; j < T && j + T * tile <= last; ++j)
        sum = sum * 0.5f + xs[j];
      __syncthreads();
    }
  y[i] = sum;
}

// Two arrays, each with a bound of its own; a function is called with elements.
__device__ float mixed(float a, float b) { return a * 0.5f + b; }
__global__ void two(const float *__restrict__ a, const float *__restrict__ b,
                    float *__restrict__ y, int n, int m) {
  __shared__ float as[T], bs[T];
  const int i = threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    if (t + i < n)
      as[i] = a[t + i];
    if (t + i < m)
      bs[i] = b[t + i];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      if (t + j >= n)
        continue;
      sum = mixed(sum, t + j < m ? mixed(as[j], bs[j]) : as[j]);
    }
    __syncthreads();
  }
  y[i] = sum;
}

// A `long long` index, and a bound that an argument and the block make.
__global__ void wide(const float *__restrict__ x, float *__restrict__ y, long long n) {
  __shared__ float xs[T];
  const int i = threadIdx.x;
  const long long begin = (long long)blockIdx.x * n, end = begin + n;
  float sum = 0;
  for (long long t = begin; t < end; t += T) {
    if (t + i < end)
      xs[i] = x[t + i];
    __syncthreads();
    for (int j = 0; j < T && t + j < end; ++j)
      sum = sum * 0.5f + xs[j];
    __syncthreads();
  }
  y[blockIdx.x * T + i] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
// Lengths that end in the middle of a tile, at its first element, at its end.
static const int Lengths[] = {1, 7, 31, 32, 33, 64, 70, 95, 97, 130, 161, 224};

CASE(partial_asked) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, asked, x, y, n);
  }
}
CASE(partial_bodies) {
  for (int n : Lengths) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", 2 * T);
    launch({2, T}, bodies, reinterpret_cast<const Body *>((const float *)x), y, n);
  }
}
CASE(partial_rest) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, rest, x, y, (unsigned)n);
  }
}
CASE(partial_rows) {
  for (int n : Lengths) {
    auto x = in<float>("x", n * T), y = out<float>("y", 8 * T);
    launch({1, dim3(T, 8)}, rows, x, y, n);
  }
}
CASE(partial_corner) {
  for (int n : Lengths)
    for (int rows : {1, 5, 8}) {
      auto x = in<float>("x", n * 8), y = out<float>("y", 64);
      launch({1, dim3(8, 8)}, corner, x, y, rows, n);
    }
}
CASE(partial_strided) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", 16);
    launch({1, 16}, strided, x, y, n);
  }
}
CASE(partial_own) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", n);
    launch({1, T}, own, x, y, n);
  }
}
CASE(partial_counted) {
  for (int n : Lengths) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, counted, x, y, n - 1, 3);
  }
}
CASE(partial_two) {
  for (int n : Lengths)
    for (int m : {0, 20, 40, 300}) {
      auto a = in<float>("a", n), b = in<float>("b", 300), y = out<float>("y", T);
      launch({1, T}, two, a, b, y, n, m);
    }
}
CASE(partial_wide) {
  for (int n : Lengths) {
    auto x = in<float>("x", 2 * n), y = out<float>("y", 2 * T);
    launch({2, T}, wide, x, y, (long long)n);
  }
}
#endif
