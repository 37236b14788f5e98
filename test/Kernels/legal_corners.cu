// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that the rules of legality let pass by a hair: addresses that are kept,
// barriers that something else needs, values that live on. What comes out must
// compute the same.
// REQUIRES: executor
// RUN: %variants --at-least=12 %s

constexpr int T = 64;

// The last barrier also separates the compute from the read that follows it.
__global__ void __launch_bounds__(T)
read_after_last_barrier(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  __shared__ float partial[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = 0.0f;
    for (int j = 0; j < T; ++j)
      s += xs[j] * float(threadIdx.x ^ j);
    partial[threadIdx.x] = s;
    __syncthreads();
    sum += partial[T - 1 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}

// The same through global memory, which a block's barrier orders as well.
__global__ void __launch_bounds__(T)
global_after_last_barrier(const float *__restrict__ x, float *__restrict__ y,
                          float *__restrict__ partial, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = 0.0f;
    for (int j = 0; j < T; ++j)
      s += xs[j] * float(threadIdx.x ^ j);
    partial[threadIdx.x] = s;
    __syncthreads();
    sum += partial[T - 1 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}

// An address of the tile is taken in the first iteration and kept.
__global__ void __launch_bounds__(T)
kept_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  const float *p = nullptr;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    if (i == 0)
      p = xs;
    for (int j = 0; j < T; ++j)
      sum += p[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same in a struct, and in an array of pointers.
struct View {
  const float *p;
  int n;
};
__global__ void __launch_bounds__(T)
kept_in_objects(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  View v = {nullptr, 0};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    if (v.n == 0)
      v.p = &xs[1];
    ++v.n;
    for (int j = 0; j < T - 1; ++j)
      sum += v.p[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer made anew in every iteration may differ from tile to tile.
__global__ void __launch_bounds__(T)
fresh_pointer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  const float *p;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    p = xs;
    for (int j = 0; j < T; ++j)
      sum += p[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Another name for the array, from before the loop.
__global__ void __launch_bounds__(T)
second_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float *w = xs;
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    w[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A tile that a function is given by pointer.
__device__ float sum_of_tiles(float *xs, const float *__restrict__ x, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
parameter(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[T];
  y[threadIdx.x] = sum_of_tiles(tile, x, n);
}

// A closure that may return before it writes what the load reads.
__global__ void __launch_bounds__(T)
early_return_of_closure(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  int o = 0;
  for (int i = 0; i < n; i += T) {
    auto next = [&] {
      if (i > T)
        return;
      o = T / 2;
    };
    next();
    xs[threadIdx.x] = x[(i + o + threadIdx.x) % n];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    o = i & 3;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Variables of the loop that live on after it.
__global__ void __launch_bounds__(T)
live_out(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f, v = 0.0f;
  int i, last = -1;
  for (i = 0; i < n; i += T) {
    last = i + 1;
    v = x[i + threadIdx.x];
    xs[threadIdx.x] = v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + float(i) + float(last) * v;
}

// Jumps that stay inside the compute.
__global__ void __launch_bounds__(T)
inner_jumps(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      if (j % 5 == 3)
        continue;
      if (j > 50)
        break;
      sum += xs[j] * float(threadIdx.x ^ j);
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The array is declared by a macro.
#define TILE_AND_SUM                                                           \
  __shared__ float xs[T];                                                      \
  float sum = 0.0f
__global__ void __launch_bounds__(T)
declared_by_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  TILE_AND_SUM;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The compute clears a part of the tile that the load does not fill.
__global__ void __launch_bounds__(T)
compute_stores(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    if (i == 0)
      xs[T + threadIdx.x] = xs[T - 1 - threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define TILES(KERNEL)                                                          \
  CASE(KERNEL) {                                                               \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      launch({1, T}, KERNEL, x, y, n);                                         \
    }                                                                          \
  }
TILES(read_after_last_barrier)
CASE(global_after_last_barrier) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T),
         partial = out<float>("partial", T);
    launch({1, T}, global_after_last_barrier, x, y, partial, n);
  }
}
TILES(kept_pointer)
TILES(kept_in_objects)
TILES(fresh_pointer)
TILES(second_name)
TILES(parameter)
TILES(early_return_of_closure)
TILES(live_out)
TILES(inner_jumps)
TILES(declared_by_macro)
TILES(compute_stores)
#endif
