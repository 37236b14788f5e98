// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that stay visible and mean something else once an array has stages and
// the loop's variable is a parameter: sizes, types and extents that the compiler
// deduces, and what a header declares beside its first variable.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

#include <type_traits>

constexpr int T = 64;

__global__ void __launch_bounds__(T)
header_second(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0, end = n; i < end; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < end ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T && i + j < end; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The second variable is an array, or a constant made of the first.
__global__ void __launch_bounds__(T)
header_array(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0, half[2] = {n / 2, n - n / 2}; i < half[0] + half[1]; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + half[1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
decltype_of_variable(const float *__restrict__ x, float *__restrict__ y,
                     int count) {
  __shared__ float xs[T];
  float sum = 0;
  size_t n = count;
  for (size_t i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (decltype(i) j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
sizeof_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < int(sizeof(xs) / sizeof(xs[0])); ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + sizeof(xs) + sizeof xs[0];
}

__global__ void __launch_bounds__(T)
range_over_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    int at = 0;
    for (float v : xs)
      sum += v * (threadIdx.x ^ at++);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The extent is deduced by a helper.
template <typename E, int N>
__device__ E dot(const E (&tile)[N], unsigned lane) {
  E sum = 0;
  for (int j = 0; j < N; ++j)
    sum += tile[j] * (lane ^ j);
  return sum;
}
__global__ void __launch_bounds__(T)
deduced_extent(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += dot(xs, threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A type made of the tile's, and a trait of it.
__global__ void __launch_bounds__(T)
types_of_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2][T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[0][threadIdx.x] = x[i + threadIdx.x];
    xs[1][threadIdx.x] = -x[i + threadIdx.x];
    __syncthreads();
    constexpr int Extent = std::extent<decltype(xs), 1>::value;
    std::remove_all_extents_t<decltype(xs)> part = 0;
    for (int j = 0; j < Extent; ++j)
      part += (xs[0][j] - 2 * xs[1][j]) * (threadIdx.x ^ j);
    sum += part + std::rank<decltype(xs)>::value;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Overloads choose by the type that the loop's variable has.
__device__ int kind(const int &) { return 1; }
__device__ int kind(int &&) { return 100; }
__device__ int kind(short) { return 10000; }
__global__ void __launch_bounds__(T)
overloads(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int xs[T];
  int sum = 0;
  for (short i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + kind(i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + kind(i);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A closure's type depends on what it captures; `auto` on the initialiser.
__global__ void __launch_bounds__(T)
captured_sizes(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int xs[T];
  int sum = 0;
  for (long long i = 0; i < n; i += T) {
    auto at = i;
    auto own = [i](int j) { return int(i) + j; };
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * own(j) + int(sizeof(at)) + int(sizeof(own));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
sizeof_element_legal(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + sizeof(float);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
end_outside_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int end = n;
  for (int i = 0; i < end; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < end ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T && i + j < end; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define INTEGERS(K)                                                            \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<int>("x", n), y = out<int>("y", T);                          \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
PARTS(header_second)
TILES(header_array)
TILES(decltype_of_variable)
TILES(sizeof_tile)
TILES(range_over_tile)
TILES(deduced_extent)
TILES(types_of_tile)
INTEGERS(overloads)
INTEGERS(captured_sizes)
TILES(sizeof_element_legal)
PARTS(end_outside_legal)
#endif
