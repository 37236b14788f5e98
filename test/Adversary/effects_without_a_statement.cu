// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The load reads what the compute stores for the next tile, or the compute tells
// the load something, by code that looks like none: init-captures, defaults of
// members and of arguments, copies, conversions, destructors, calls by pointer.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
init_capture(const float *__restrict__ x, float *__restrict__ y, int n) {
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
  Num a, b;
};
__global__ void __launch_bounds__(T)
defaulted_copy(const float *__restrict__ x, Pack *p, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Pack q = p[i + threadIdx.x];
    xs[threadIdx.x] = x[i + threadIdx.x] + q.a.v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    p[i + T + threadIdx.x].a.v = sum;
    __syncthreads();
  }
}

// A member's default reads where the compute has stored.
struct Last {
  const float *at;
  float v = *at;
};
__global__ void __launch_bounds__(T)
member_default(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Last last{y + i + threadIdx.x};
    xs[threadIdx.x] = x[i + threadIdx.x] + last.v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}

// A default argument reads what the file keeps.
__device__ int next_tile;
__device__ int tile_of(int t = next_tile) { return t; }
__global__ void reset_tile() { next_tile = 0; }
__global__ void __launch_bounds__(T)
default_argument(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[tile_of() * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    if (threadIdx.x == 0)
      next_tile = next_tile + 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// ->*, an own operator-> and a conversion that reads.
struct Cell {
  float v, w;
};
__global__ void __launch_bounds__(T)
arrow_star(const float *__restrict__ x, Cell *c, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float Cell::*which = &Cell::w;
  for (int i = 0; i < n; i += T) {
    Cell *mine = c + i + threadIdx.x;
    xs[threadIdx.x] = x[i + threadIdx.x] + mine->*which;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    (c + i + T + threadIdx.x)->*which = sum;
    __syncthreads();
  }
}
struct Slot {
  float *at;
  __device__ operator float() const { return *at; }
  __device__ float operator=(float v) const { return *at = v; }
};
__global__ void __launch_bounds__(T)
conversion_reads(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Slot here{y + i + threadIdx.x}, next{y + i + T + threadIdx.x};
    xs[threadIdx.x] = x[i + threadIdx.x] + here;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    next = sum;
    __syncthreads();
  }
}

// A destructor stores, a copy constructor counts.
struct Keeper {
  float *at;
  float v;
  __device__ Keeper(float *a) : at(a), v(0) {}
  __device__ ~Keeper() { *at = v; }
};
__global__ void __launch_bounds__(T)
destructor_stores(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + y[i + threadIdx.x];
    __syncthreads();
    {
      Keeper keep(y + i + T + threadIdx.x);
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      keep.v = sum;
    }
    __syncthreads();
  }
}
struct Counted {
  int *copies;
  float v;
  __device__ Counted(int *c, float f) : copies(c), v(f) {}
  __device__ Counted(const Counted &o) : copies(o.copies), v(o.v + *o.copies) {
    ++*copies;
  }
};
__device__ float value_of(Counted c) { return c.v; }
__global__ void __launch_bounds__(T)
copy_counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int copies = 0;
  for (int i = 0; i < n; i += T) {
    Counted c(&copies, x[i + threadIdx.x]);
    xs[threadIdx.x] = value_of(c);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + copies;
    __syncthreads();
  }
  y[threadIdx.x] = sum + copies;
}

// By a pointer to a function, and by a closure that a helper is given.
__device__ float read_at(const float *p) { return *p; }
__global__ void __launch_bounds__(T)
call_by_pointer(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float (*read)(const float *) = read_at;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + read(y + i + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}
template <typename F> __device__ void each(int from, int to, F f) {
  for (int j = from; j < to; ++j)
    f(j);
}
__global__ void __launch_bounds__(T)
closure_in_helper(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + y[i + threadIdx.x];
    __syncthreads();
    each(0, T, [&](int j) { sum += xs[j] * (threadIdx.x ^ j); });
    each(0, 1, [&](int j) { y[i + T + threadIdx.x] = sum + j; });
    __syncthreads();
  }
}

// A function's static variable is the file's.
__device__ int &tickets() {
  static __device__ int each[T];
  return each[threadIdx.x];
}
__device__ int ticket() { return tickets()++; }
__global__ void reset_tickets() { tickets() = 0; }
__global__ void __launch_bounds__(T)
static_variable(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] * (ticket() % 4);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sum += ticket() % 8;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
init_capture_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    float first = x[i];
    xs[threadIdx.x] = x[i + threadIdx.x] + first;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    y[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
}
struct Plain {
  float v, w;
};
__global__ void __launch_bounds__(T)
plain_copy_legal(const Plain *__restrict__ p, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Plain q = p[i + threadIdx.x];
    xs[threadIdx.x] = q.v - q.w;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define PACKS(K, V)                                                            \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), p = in<float>("p", 2 * (n + T));             \
      launch({1, T}, K, x, p.as<V>(), n);                                      \
    }                                                                          \
  }
UPDATES(init_capture)
PACKS(defaulted_copy, Pack)
UPDATES(member_default)
CASE(default_argument) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), y = out<float>("y", T);
    launch({1, 1}, reset_tile);
    launch({1, T}, default_argument, x, y, n);
  }
}
PACKS(arrow_star, Cell)
UPDATES(conversion_reads)
UPDATES(destructor_stores)
TILES(copy_counts)
UPDATES(call_by_pointer)
UPDATES(closure_in_helper)
CASE(static_variable) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, reset_tickets);
    launch({1, T}, static_variable, x, y, n);
  }
}
UPDATES(init_capture_legal)
CASE(plain_copy_legal) {
  for (int n : multiples(T)) {
    auto p = in<float>("p", 2 * n), y = out<float>("y", T);
    launch({1, T}, plain_copy_legal, p.as<Plain>(), y, n);
  }
}
#endif
