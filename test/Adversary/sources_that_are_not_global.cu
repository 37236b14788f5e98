// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An asynchronous copy takes its source for global memory. Pointers of structs,
// of parameters and of tables may lead to shared, local or constant memory.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 --option=--allow-occupancy-drop %s

constexpr int T = 64;

struct View {
  const float4 *data;
  int ld;
};
__device__ float dot_view(View v, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = v.data[i * v.ld + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
view_of_shared(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 all[9 * T];
  for (int i = 0; i < 9; ++i)
    all[i * T + threadIdx.x] = x[i * T + threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = dot_view(View{all, T}, n);
}

// The thread's own memory, two calls deep.
__device__ float dot_rows(const float4 *rows, int n) {
  __shared__ float4 ys[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    ys[threadIdx.x] = rows[i];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += ys[j].x * (threadIdx.x ^ j) - ys[j].w;
    __syncthreads();
  }
  return sum;
}
template <typename P> __device__ float deeper(P rows, int n) {
  return dot_rows(rows, n);
}
__global__ void __launch_bounds__(T)
local_rows(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  float4 own[9];
  for (int i = 0; i < 9; ++i)
    own[i] = x[i * T + (threadIdx.x ^ i)];
  y[threadIdx.x] = deeper(own, n);
}

// By a pointer to the function, and a member that a method sets.
__device__ float dot_called(const float4 *from, int n) {
  __shared__ float4 zs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    zs[threadIdx.x] = from[i * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += zs[j].x * (threadIdx.x ^ j) - zs[j].w;
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
called_by_pointer(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 all[9 * T];
  float (*dot)(const float4 *, int) = dot_called;
  for (int i = 0; i < 9; ++i)
    all[i * T + threadIdx.x] = x[i * T + threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = dot(all, n);
}
struct Rows {
  const float4 *at;
  __device__ void set(const float4 *p) { at = p; }
};
__global__ void __launch_bounds__(T)
set_by_method(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 all[9 * T];
  __shared__ float4 xs[T];
  for (int i = 0; i < 9; ++i)
    all[i * T + threadIdx.x] = x[i * T + threadIdx.x];
  __syncthreads();
  Rows rows{x};
  rows.set(all);
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = rows.at[i * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Either of two, told at run time; and by a table in the thread's memory.
__global__ void __launch_bounds__(T)
either_memory(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 all[9 * T];
  __shared__ float4 xs[T];
  for (int i = 0; i < 9; ++i)
    all[i * T + threadIdx.x] = x[i * T + threadIdx.x];
  __syncthreads();
  const float4 *from = n % 2 ? x : all;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = from[i * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
table_of_memories(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 all[9 * T];
  __shared__ float4 xs[T];
  for (int i = 0; i < 9; ++i)
    all[i * T + threadIdx.x] = x[i * T + threadIdx.x];
  __syncthreads();
  const float4 *from[2] = {x, all};
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = from[i % 2][i * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Returned by a helper that had it stored in a shared pointer.
__shared__ const float4 *kept;
__device__ const float4 *current() { return kept; }
__global__ void __launch_bounds__(T)
kept_in_shared(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 all[9 * T];
  __shared__ float4 xs[T];
  for (int i = 0; i < 9; ++i)
    all[i * T + threadIdx.x] = x[i * T + threadIdx.x];
  if (threadIdx.x == 0)
    kept = all;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = current()[i * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
view_of_global_legal(View v, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    xs[threadIdx.x] = v.data[i * v.ld + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].x * (threadIdx.x ^ j) - xs[j].w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define ROWS(K, ...)                                                           \
  CASE(K) {                                                                    \
    for (int n : {0, 1, 2, 3, 5, 9}) {                                         \
      auto x = in<float>("x", 36 * T), y = out<float>("y", T);                 \
      launch({1, T}, K, __VA_ARGS__, y, n);                                    \
    }                                                                          \
  }
ROWS(view_of_shared, x.as<float4>())
ROWS(local_rows, x.as<float4>())
ROWS(called_by_pointer, x.as<float4>())
ROWS(set_by_method, x.as<float4>())
ROWS(either_memory, x.as<float4>())
ROWS(table_of_memories, x.as<float4>())
ROWS(kept_in_shared, x.as<float4>())
ROWS(view_of_global_legal, (View{x.as<float4>(), T}))
#endif
