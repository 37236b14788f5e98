// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a copy loop runs is counted, so that its elements can wait in
// registers: starts below zero, unsigned arithmetic, starts and steps that are
// no constants, loops that run down or leave a part undone.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;
constexpr int Lo = -8;

__global__ void __launch_bounds__(T)
negative_offset(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x + Lo; j < T; j += T)
      xs[j + 8] = x[i + j + 8];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
negative_cast(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = int(threadIdx.x) - 8; j < T; j += T)
      xs[j + 8] = x[i + j + 8];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same sum in other words: a constant first, an unsigned one, a difference.
constexpr unsigned Back = -8;
__global__ void __launch_bounds__(T)
constant_first(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = Lo + threadIdx.x; j < T; j += T)
      xs[j + 8] = x[i + j + 8];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
unsigned_constant(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x + Back; j < T; j += T)
      xs[j + 8] = x[i + j + 8];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
unsigned_difference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x - 8; j < T; j += blockDim.x)
      xs[j + 8] = x[i + j + 8];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A template's argument, a type of 64 bits.
template <int First>
__global__ void __launch_bounds__(T)
negative_argument(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T - First];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (long long j = First + (long long)threadIdx.x; j < T; j += blockDim.x)
      xs[j - First] = x[i + j - First];
    __syncthreads();
    for (int j = 0; j < T - First; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void negative_argument<-9>(const float *, float *, int);

// Unsigned: what is below zero is far above the end, and comes back.
__global__ void __launch_bounds__(T)
wraps_around(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (unsigned j = threadIdx.x - 8u; int(j) < T; j += T)
      xs[j + 8u] = x[i + j + 8u];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
narrow_counter(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (signed char j = -4; j < 0; ++j)
      xs[(j + 4) * T + threadIdx.x] = x[i + threadIdx.x] * j;
    for (unsigned char j = 254; j != 0; ++j)
      xs[(j - 253) * T + threadIdx.x] = x[i + threadIdx.x] + j;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Down to zero, with a last row that only some threads have.
__global__ void __launch_bounds__(T)
runs_down(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = T + 7 - int(threadIdx.x); j >= 0; j -= T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The start depends on the tile: one row more for each second tile.
__global__ void __launch_bounds__(T)
start_of_the_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[3 * T];
  float sum = 0;
  xs[threadIdx.x] = xs[T + threadIdx.x] = xs[2 * T + threadIdx.x] = 1;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    for (int j = i / T % 2 - 1; j < 2; ++j)
      xs[(j + 1) * T + threadIdx.x] = x[i + threadIdx.x] * (j + 2);
    __syncthreads();
    for (int j = 0; j < 3 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The copy loop's variable is changed in its body.
__global__ void __launch_bounds__(T)
steps_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[6 * T];
  float sum = 0;
  for (int j = 0; j < 6; ++j)
    xs[j * T + threadIdx.x] = 0.25f;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    for (int j = 0; j < 6; ++j) {
      xs[j * T + threadIdx.x] = x[i + threadIdx.x] + j;
      j += i / T % 2;
    }
    __syncthreads();
    for (int j = 0; j < 6 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
from_zero_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < T + 8; j += T)
      xs[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
from_eight_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x + 8; j < 2 * T + 8; j += T)
      xs[j - 8] = x[i + j - 8];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(constant_first)
TILES(unsigned_constant)
TILES(unsigned_difference)
TILES(negative_offset)
TILES(negative_cast)
CASE(negative_argument) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);
    launch({1, T}, negative_argument<-9>, x, y, n);
  }
}
TILES(wraps_around)
TILES(narrow_counter)
TILES(runs_down)
TILES(start_of_the_tile)
TILES(steps_twice)
TILES(from_zero_legal)
TILES(from_eight_legal)
#endif
