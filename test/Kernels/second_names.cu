// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Effects and names that are easy to miss, executed: what closures capture,
// copies that the compiler makes, tables of pointers, promises of one
// iteration, arrays that decay, fills that are not zero. Those named `..._apart`
// are the legal twins.
// REQUIRES: executor
// RUN: %variants --at-least=7 %s

constexpr int T = 64;

// The load reads what the compute of the tile before stored.
__global__ void __launch_bounds__(T)
captured_value(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    auto last = [v = y[i + threadIdx.x]] { return v; };
    xs[threadIdx.x] = x[i + threadIdx.x] + last();
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(T)
captured_value_apart(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    auto last = [v = x[i + T - 1 - threadIdx.x]] { return v; };
    xs[threadIdx.x] = x[i + threadIdx.x] + last();
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}

struct Num {
  float v;
  Num() = default;
  __device__ Num(const Num &o) : v(o.v) {}
  __device__ Num &operator=(const Num &o) {
    v = o.v;
    return *this;
  }
};
struct Pack {
  Num a[2];
};

__global__ void __launch_bounds__(T)
copied_members(const float *__restrict__ x, Pack *p, float *__restrict__ y,
               int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Pack q = p[i + threadIdx.x];
    xs[threadIdx.x] = x[i + threadIdx.x] + q.a[1].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    p[i + T + threadIdx.x].a[1].v = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
copied_members_apart(const float *__restrict__ x, const Pack *__restrict__ p,
                     float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Pack q = p[i + threadIdx.x];
    xs[threadIdx.x] = x[i + threadIdx.x] + q.a[1].v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ float *sources[2], *targets[2];
__global__ void fill_tables(float *x) { sources[0] = targets[0] = x; }
__global__ void __launch_bounds__(T) tables(float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = sources[0][i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    targets[0][i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
promise_of_a_block(const float *x, float *w, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    {
      float *__restrict__ q = w + i + T;
      q[threadIdx.x] = sum;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
promise_of_all_apart(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *__restrict__ q = w;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    q[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

struct Cursor {
  int *p;
};
__global__ void __launch_bounds__(T)
decayed_array(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at[1] = {0};
  Cursor c;
  c.p = at;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + at[0] + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    *c.p += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The load moves on what the compute reads under another name.
__global__ void __launch_bounds__(T)
read_under_another_name(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at = 0;
  Cursor c;
  c.p = &at;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[at + threadIdx.x];
    at += T;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += *c.p;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
same_iteration(const float *x, float *y, int n) {
  __shared__ float xs[T];
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    float old = y[i + (threadIdx.x ^ 1)];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float sum = old;
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

__global__ void __launch_bounds__(T)
same_iteration_apart(const float *x, float *y, int n) {
  __shared__ float xs[T];
  // kpipe: assume(no-alias)
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float sum = y[i + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
}

struct __align__(16) V4 {
  float x, y, z, w;
};
__device__ V4 make_pad(float a) { return V4{a + 1, a + 2, a + 3, a + 4}; }
__device__ constexpr V4 make_none(float a) { return V4{a, a, a, a}; }

// Both are pipelined: one is no zero fill.
__global__ void __launch_bounds__(T)
padded(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : make_pad(0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
padded_apart(const V4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ V4 xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] =
        i + threadIdx.x < n ? x[i + threadIdx.x] : make_none(0.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x + xs[j].y * 2 - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The source is shared memory in one call: no asynchronous copy.
struct View {
  const float4 *data;
  int ld;
};
__device__ float of_a_view(View v, int n) {
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
view(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 all[9 * T];
  for (int i = 0; i < 9; ++i)
    all[i * T + threadIdx.x] = x[i * T + threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = of_a_view(View{all, T}, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(captured_value) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = in<float>("y", n + T);
    launch({1, T}, captured_value, x, y, n);
  }
}
CASE(captured_value_apart) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", n + T);
    launch({1, T}, captured_value_apart, x, y, n);
  }
}
CASE(copied_members) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), p = in<float>("p", 2 * (n + T)),
         y = out<float>("y", T);
    launch({1, T}, copied_members, x, p.as<Pack>(), y, n);
  }
}
CASE(copied_members_apart) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), p = in<float>("p", 2 * (n + T)),
         y = out<float>("y", T);
    launch({1, T}, copied_members_apart, x, p.as<Pack>(), y, n);
  }
}
CASE(tables) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);
    launch({1, 1}, fill_tables, x);
    launch({1, T}, tables, y, n);
  }
}
CASE(promise_of_a_block) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, T}, promise_of_a_block, x, x, y, n);
  }
}
CASE(promise_of_all_apart) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), w = out<float>("w", n);
    launch({1, T}, promise_of_all_apart, x, w, n);
  }
}
CASE(decayed_array) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, T}, decayed_array, x, y, n);
  }
}
CASE(read_under_another_name) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, T}, read_under_another_name, x, y, n);
  }
}
CASE(same_iteration) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = in<float>("y", n);
    launch({1, T}, same_iteration, x, y, n);
  }
}
CASE(same_iteration_apart) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = in<float>("y", n);
    launch({1, T}, same_iteration_apart, x, y, n);
  }
}
CASE(padded) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T);
    launch({1, T}, padded, x.as<V4>(), y, n);
  }
}
CASE(padded_apart) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", 4 * n), y = out<float>("y", T);
    launch({1, T}, padded_apart, x.as<V4>(), y, n);
  }
}
CASE(view) {
  for (int n : {0, 1, 2, 3, 5, 9}) {
    auto x = in<float>("x", 36 * T), y = out<float>("y", T);
    launch({1, T}, view, x.as<float4>(), y, n);
  }
}
#endif
