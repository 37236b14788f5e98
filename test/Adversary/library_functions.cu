// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of a system header are CUDA's only if CUDA has the header: those of a
// library may keep a state or store anywhere.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=1 --flag=-isystem%S/Inputs/library %s

#include <library.h>

constexpr int T = 64;

__global__ void __launch_bounds__(T)
keeps_a_state(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int at = lib_next_tile();
    xs[threadIdx.x] = x[at * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    lib_tile_done();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
stores_for_the_load(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + w[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    lib_put(w + i + T + threadIdx.x, sum);
    __syncthreads();
  }
}
__global__ void __launch_bounds__(T)
reads_in_the_load(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + lib_read(w + i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}
__global__ void __launch_bounds__(T)
member_of_a_class(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  LibCounter counter;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[counter.next() * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    lib_tile_done();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
cuda_function_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += fmaf(xs[j], float(threadIdx.x ^ j), 1.0f);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
__device__ int lib_count;
extern "C" __device__ int lib_next_tile() { return lib_count / T; }
extern "C" __device__ void lib_tile_done() { atomicAdd(&lib_count, 1); }
extern "C" __device__ void lib_put(float *to, float value) { *to = value; }
template <typename E> __device__ E lib_read(const E *from) { return *from; }
__device__ int LibCounter::next() { return lib_count / T; }
__global__ void reset() { lib_count = 0; }
#define FROM_ZERO(K)                                                           \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      launch({1, 1}, reset);                                                   \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
FROM_ZERO(keeps_a_state)
UPDATES(stores_for_the_load)
UPDATES(reads_in_the_load)
FROM_ZERO(member_of_a_class)
TILES(cuda_function_legal)
#endif
