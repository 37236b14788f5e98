// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and other names that the load itself declares: a fetch and a store need
// them, and the registers between the two are made of what they stand for.
// REQUIRES: executor
// RUN: %variants --at-least=9 %s

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define USE(Array, Count)                                                      \
  for (int j = 0; j < Count; ++j)                                              \
  sum += Array[j] * (threadIdx.x ^ j)

// In the body: the place needs one alias, the value another, the compute both.
BEGIN(in_body) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    using Index = unsigned;
    typedef float Value;
    using Place = Index;
    xs[(Place)threadIdx.x] = (Value)x[i + threadIdx.x];
    __syncthreads();
    for (Index j = 0; j < T; ++j)
      sum += Value(xs[j]) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The type of what waits in registers, known within the loop only.
BEGIN(of_registers) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    using F = float;
    *(F *)&xs[threadIdx.x] = *(const F *)&x[i + threadIdx.x];
    __syncthreads();
    USE(xs, T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In the copy loop, around which registers are counted.
BEGIN(in_copy_loop) {
  __shared__ __align__(16) float xs[8 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 8 * T) {
    for (int c = threadIdx.x; c < 2 * T; c += T) {
      using V = float4;
      using Written = V *;
      *(Written)&xs[4 * c] = *reinterpret_cast<V const *>(&x[i + 4 * c]);
    }
    __syncthreads();
    USE(xs, 8 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Aliases of pointers, in front of the loop.
BEGIN(of_pointers) {
  __shared__ __align__(16) float xs[4 * T];
  float sum = 0;
  using To = float4 *;
  using From = const float4 *;
  for (int i = 0; i < n; i += 4 * T) {
    ((To)xs)[threadIdx.x] = ((From)&x[i])[threadIdx.x];
    __syncthreads();
    USE(xs, 4 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <class E> struct Wide;
template <> struct Wide<float> {
  using Type = float2;
};
template <class E>
__global__ void __launch_bounds__(T)
    in_template(const E *__restrict__ x, E *__restrict__ y, int n) {
  __shared__ __align__(16) E xs[2 * T];
  E sum = 0;
  for (int i = 0; i < n; i += 2 * T) {
    using V = typename Wide<E>::Type;
    constexpr int Width = sizeof(V) / sizeof(E);
    *reinterpret_cast<V *>(&xs[Width * threadIdx.x]) =
        *reinterpret_cast<const V *>(&x[i + Width * threadIdx.x]);
    __syncthreads();
    USE(xs, 2 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void in_template<float>(const float *, float *, int);

// A class with a function and an enumeration, which the place alone needs.
BEGIN(of_place) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    struct Offset {
      int at;
      __device__ int next() const { return (at + 1) % T; }
    };
    enum { Half = T / 2 };
    Offset to{int(threadIdx.x)};
    xs[(to.next() + Half) % T] = x[i + threadIdx.x];
    __syncthreads();
    USE(xs, T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Names that come from namespaces.
namespace deep {
__device__ int swapped(int t) { return t ^ 1; }
__device__ int turned(int t) { return (t + 3) % T; }
} // namespace deep
BEGIN(brought_in) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    namespace d = deep;
    using deep::swapped;
    {
      using namespace deep;
      xs[swapped(turned(threadIdx.x))] = x[i + d::swapped(threadIdx.x)];
    }
    __syncthreads();
    USE(xs, T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Made of the body's own variables, of which nothing but the type is asked.
BEGIN(of_variables) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    using Index = decltype(i);
    using Value = decltype(x[i] + 0.0);
    Index at = threadIdx.x;
    xs[at] = Value(x[i + threadIdx.x]) / 3;
    __syncthreads();
    using Late = Index;
    for (Late j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a helper that fills the tile.
__device__ void fill(float *to, const float *from) {
  using V = float4;
  *(V *)&to[4 * threadIdx.x] = *(const V *)&from[4 * threadIdx.x];
}
BEGIN(in_helper) {
  __shared__ __align__(16) float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += 4 * T) {
    fill(xs, x + i);
    __syncthreads();
    USE(xs, 4 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int), int tile) {
  for (int n : multiples(tile)) {
    auto x = in<float>("x", n + tile);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(in_body) { run(in_body, T); }
CASE(of_registers) { run(of_registers, T); }
CASE(in_copy_loop) { run(in_copy_loop, 8 * T); }
CASE(of_pointers) { run(of_pointers, 4 * T); }
CASE(in_template) { run(in_template<float>, 2 * T); }
CASE(of_place) { run(of_place, T); }
CASE(brought_in) { run(brought_in, T); }
CASE(of_variables) { run(of_variables, T); }
CASE(in_helper) { run(in_helper, 4 * T); }
#endif
