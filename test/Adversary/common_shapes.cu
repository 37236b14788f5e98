// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes that many programs have and that are hard to see through: accessors,
// operators, methods, deduced helpers, barriers in macros and helpers, a closing
// barrier with a condition. Nothing is demanded but that the output is right.
// REQUIRES: executor
// RUN: %variants --ways=few %s

constexpr int T = 64;

template <typename E> struct Acc1 {
  E *p;
  long s;
  __device__ E &operator[](long i) const { return p[i * s]; }
};
template <typename E> struct Acc2 {
  E *p;
  long s0, s1;
  __device__ Acc1<E> operator[](long i) const {
    return Acc1<E>{p + i * s0, s1};
  }
};
__global__ void __launch_bounds__(T)
accessor(const Acc2<const float> x, Acc1<float> y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[0][i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct C {
  float re, im;
  __device__ C operator*(const C &o) const {
    return C{re * o.re - im * o.im, re * o.im + im * o.re};
  }
  __device__ C &operator+=(const C &o) {
    re += o.re;
    im += o.im;
    return *this;
  }
};
inline __device__ float3 operator-(float3 a, float3 b) {
  return make_float3(a.x - b.x, a.y - b.y, a.z - b.z);
}
__global__ void __launch_bounds__(T)
operators(const float3 *__restrict__ p, const C *__restrict__ c,
          float *__restrict__ y, int n) {
  __shared__ float3 ps[T];
  __shared__ C cs[T];
  C sum{0, 0};
  float3 own = p[threadIdx.x];
  float r = 0;
  for (int i = 0; i < n; i += T) {
    ps[threadIdx.x] = p[i + threadIdx.x];
    cs[threadIdx.x] = c[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      float3 d = ps[j] - own;
      r += d.x * d.y - d.z * (threadIdx.x ^ j);
      sum += cs[j] * C{d.x, float(j)};
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum.re + sum.im + r;
}

struct Job {
  const float *x;
  int n, shift;
  float scale;
  __device__ float run() {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + shift + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * scale * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
method(const float *__restrict__ x, float *__restrict__ y, int n) {
  Job job{x, n, 3, 0.5f};
  y[threadIdx.x] = job.run();
}

template <typename E>
__device__ __forceinline__ void load_tile_from(E *to, const E *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void __launch_bounds__(T)
deduced_helper(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    load_tile_from(xs, x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
skips_last_barrier(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    if (i + T < n)
      __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ float block_sum(float v, float *scratch) {
  for (int o = 16; o; o >>= 1)
    v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = v;
  __syncthreads();
  v = scratch[0] + scratch[1];
  __syncthreads();
  return v;
}
__global__ void __launch_bounds__(T)
reduction_in_tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], scratch[2];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float s = 0;
    for (int j = 0; j < T; ++j)
      s += xs[j] * (threadIdx.x ^ j);
    sum += block_sum(s, scratch);
  }
  y[threadIdx.x] = sum;
}

#define SYNC()                                                                 \
  do {                                                                         \
    __syncthreads();                                                           \
  } while (0)
__global__ void __launch_bounds__(T)
barrier_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    SYNC();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    SYNC();
  }
  y[threadIdx.x] = sum;
}

// The same shapes where a barrier, or the order of a helper's, counts.
__device__ float sum_then_clear(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    load_tile_from(xs, x + i);
    SYNC();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[j];
    SYNC();
  }
  w[threadIdx.x] = 0;
  return sum;
}
__global__ void __launch_bounds__(T)
helper_and_clear(const float *x, float *w, int n) {
  float sum = sum_then_clear(x, w, n);
  __syncthreads();
  w[threadIdx.x ^ 1] = sum;
}
__global__ void __launch_bounds__(T)
skips_then_stores(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + w[threadIdx.x ^ 1];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    if (i + T < n)
      __syncthreads();
  }
  if (n)
    w[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
reduction_stored(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T], scratch[2];
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + w[i];
    __syncthreads();
    float s = 0;
    for (int j = 0; j < T; ++j)
      s += xs[j] * (threadIdx.x ^ j);
    s = block_sum(s, scratch);
    if (threadIdx.x == 0)
      w[i + T] = s;
    __syncthreads();
  }
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
CASE(accessor) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, accessor, Acc2<const float>{x, n, 1}, Acc1<float>{y, 1}, n);
  }
}
CASE(operators) {
  for (int n : multiples(T)) {
    auto p = in<float>("p", 3 * (n + T)), c = in<float>("c", 2 * n);
    auto y = out<float>("y", T);
    launch({1, T}, operators, p.as<float3>(), c.as<C>(), y, n);
  }
}
TILES(method)
TILES(deduced_helper)
TILES(skips_last_barrier)
TILES(reduction_in_tile)
TILES(barrier_macro)
UPDATES(helper_and_clear)
UPDATES(skips_then_stores)
UPDATES(reduction_stored)
#endif
