// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two names that look like two memories are one: entries of pointer tables,
// pointers out of structs and helpers, restrict that lasts for a block only,
// locals whose address got away by decay or in a callee.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__device__ float *srcs[2];
__device__ float *dsts[2];
__global__ void set_tables(float *x) { srcs[0] = dsts[0] = x; }
__global__ void __launch_bounds__(T) pointer_tables(float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = srcs[0][i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    dsts[0][i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
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

__global__ void __launch_bounds__(T)
restrict_of_a_block(const float *x, float *w, float *y, int n) {
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

// The other way round: the load's pointer is restrict, within one iteration.
__global__ void __launch_bounds__(T)
restrict_of_the_load(const float *x, float *w, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    const float *__restrict__ from = x + i;
    xs[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// In a helper's parameter: it lasts for the call.
__device__ void put(float *__restrict__ to, float v) { to[threadIdx.x] = v; }
__device__ float get(const float *__restrict__ from) {
  return from[threadIdx.x];
}
__global__ void __launch_bounds__(T)
restrict_of_helpers(const float *x, float *w, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = get(x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    put(w + i + T, sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Copied out: what is based on a restrict pointer is not the other's, but this
// one is based on both.
__global__ void __launch_bounds__(T)
restrict_copied_out(float *__restrict__ x, float *__restrict__ w, float *y,
                    int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *out = n > T ? x : w;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    out[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Members of two structs, and of one struct in constant memory.
struct Source {
  const float *p;
};
struct Sink {
  float *p;
};
__global__ void __launch_bounds__(T)
members_of_two(Source from, Sink to, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = from.p[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    to.p[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// A table that is a parameter: p[0] and p[1] are equal.
__global__ void __launch_bounds__(T)
table_parameter(float *const *__restrict__ p, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = p[0][i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    p[1][i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Two pointers of the file, members of two of its structs, rows of a table.
__device__ float *source, *target;
struct Ends {
  float *from, *to;
};
__device__ Ends here, there;
__device__ float *grid[2][2];
__global__ void set_globals(float *x) {
  source = target = here.from = there.to = grid[0][1] = grid[1][0] = x;
}
__global__ void __launch_bounds__(T) global_pointers(float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = source[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    target[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T) global_structs(float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = here.from[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    there.to[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T) table_of_rows(float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = grid[0][1][i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    grid[1][0][i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// Two globals that hold one pointer, handed out by functions.
__device__ float *memory;
__device__ float *input() { return memory; }
__device__ float *output() { return memory + T; }
__global__ void set_memory(float *x) { memory = x; }
__global__ void __launch_bounds__(T) pointers_from_helpers(float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = input()[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    output()[i + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The array's address goes through +, & of an element, a callee.
__device__ void attach(Cursor &c, int *p) { c.p = p; }
__global__ void __launch_bounds__(T)
attached_in_callee(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at[2] = {0, 0};
  Cursor c;
  attach(c, at);
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + at[1] + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    c.p[1] += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
struct Walker {
  int at[1];
  int *p;
};
__global__ void __launch_bounds__(T)
member_array(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Walker w = {{0}, nullptr};
  w.p = +w.at;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + w.at[0] + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w.p[0] += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// A scalar in an array of pointers.
__global__ void __launch_bounds__(T)
array_of_pointers(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0, other = 0;
  int *each[2] = {&off, &other};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = __ldg(x + off + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    for (int *p : each)
      *p += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum + other;
}

__global__ void __launch_bounds__(T)
restrict_parameters_legal(const float *__restrict__ x, float *__restrict__ w,
                          int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}
__global__ void __launch_bounds__(T)
local_array_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int at[2] = {0, T};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + at[0] + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + at[1]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
CASE(global_pointers) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, 1}, set_globals, x);
    launch({1, T}, global_pointers, y, n);
  }
}
CASE(global_structs) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, 1}, set_globals, x);
    launch({1, T}, global_structs, y, n);
  }
}
CASE(table_of_rows) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, 1}, set_globals, x);
    launch({1, T}, table_of_rows, y, n);
  }
}
#define SAME(K, X, W)                                                          \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + T), y = out<float>("y", T);                  \
      launch({1, T}, K, X, W, y, n);                                           \
    }                                                                          \
  }
CASE(pointer_tables) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, 1}, set_tables, x);
    launch({1, T}, pointer_tables, y, n);
  }
}
TILES(decayed_array)
SAME(restrict_of_a_block, x, x)
SAME(restrict_of_the_load, x, x)
SAME(restrict_of_helpers, x, x)
CASE(restrict_copied_out) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), w = in<float>("w", n + T);
    auto y = out<float>("y", T);
    launch({1, T}, restrict_copied_out, x, w, y, n);
  }
}
SAME(members_of_two, (Source{x}), (Sink{x}))
CASE(table_parameter) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    float *at = x;
    auto p = in<float *>("p", 2, [at](int) { return at; });
    launch({1, T}, table_parameter, p, y, n);
  }
}
CASE(pointers_from_helpers) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, 1}, set_memory, x);
    launch({1, T}, pointers_from_helpers, y, n);
  }
}
TILES(attached_in_callee)
TILES(member_array)
TILES(array_of_pointers)
UPDATES(restrict_parameters_legal)
TILES(local_array_legal)
#endif
