// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that stand inside member functions: members of an object that is a
// local variable of every caller are variables like any other.
// REQUIRES: executor
// RUN: %variants --at-least=9 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c ': remark:' | grep -x 9

constexpr int T = 64;

struct Reads {
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
    reads(const float *__restrict__ x, float *__restrict__ y, int n) {
  Reads job{x, n, 3, 0.5f};
  y[threadIdx.x] = job.run();
}

class Changes {
  const float *x;
  int n;
  float sum = 0, most[2];
  __device__ void add(float v) {
    sum += v;
    most[1] = most[0];
    most[0] = v > most[0] ? v : most[0];
  }

public:
  __device__ Changes(const float *x, int n) : x(x), n(n) {
    most[0] = most[1] = -99;
  }
  __device__ float get(int i) const { return this->x[i]; }
  __device__ void run() {
    __shared__ float xs[T];
    for (int i = 0; i < this->n; i += T) {
      xs[threadIdx.x] = get(i + threadIdx.x);
      __syncthreads();
      for (int j = 0; j < T; ++j)
        add(xs[j] * (threadIdx.x ^ j));
      __syncthreads();
    }
  }
  __device__ float result() const { return sum + most[0] + most[1]; }
};
__global__ void __launch_bounds__(T)
    changes(const float *__restrict__ x, float *__restrict__ y, int n) {
  Changes job(x, n);
  job.run();
  job.run();
  y[threadIdx.x] = job.result();
}

// A kernel's body in a call operator, with parameters and helpers in a base.
template <typename E> struct Parameters {
  const E *x;
  E *y;
  int n;
};
template <typename E> struct Base {
  E scale;
  __device__ explicit Base(E scale) : scale(scale) {}
  __device__ E scaled(E v) const { return scale * v; }
};
template <typename E, int Tile> struct Kernel : Base<E> {
  E sum;
  __device__ Kernel() : Base<E>(E(2)), sum(0) {}
  __device__ void operator()(const Parameters<E> &p) {
    __shared__ E xs[Tile];
    for (int i = 0; i < p.n; i += Tile) {
      xs[threadIdx.x] = this->scaled(p.x[i + threadIdx.x]);
      __syncthreads();
      for (int j = 0; j < Tile; ++j)
        sum += this->scaled(xs[j]) * (threadIdx.x ^ j);
      __syncthreads();
    }
    p.y[threadIdx.x] = sum;
  }
};
template <typename K>
__global__ void __launch_bounds__(T) start(Parameters<float> p) {
  K kernel;
  kernel(p);
}
template __global__ void start<Kernel<float, T>>(Parameters<float>);

// Parameters by reference and by value, of functions that are no members.
__device__ float by_reference(const Parameters<float> &p, Base<float> &b) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < p.n; i += T) {
    xs[threadIdx.x] = p.x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * b.scale * (threadIdx.x ^ j);
    b.scale += 1;
    __syncthreads();
  }
  return sum;
}
__device__ float by_value(Parameters<float> p) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < p.n; i += T) {
    xs[threadIdx.x] = p.x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T) functions(Parameters<float> p) {
  Base<float> b(1);
  p.y[threadIdx.x] = by_reference(p, b) + by_value(p) + b.scale;
}

// The load moves a pointer that is a member.
struct Moves {
  const float *at;
  __device__ float run(int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = at[threadIdx.x];
      at += T;
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum + *at;
  }
};
__global__ void __launch_bounds__(T)
    moves(const float *__restrict__ x, float *__restrict__ y, int n) {
  Moves job{x};
  y[threadIdx.x] = job.run(n);
}

// Through another member function, and a closure that has `this`.
struct Nested {
  const float *x;
  float sum;
  __device__ void inner(int n) {
    __shared__ float xs[T];
    auto value = [this](int i) { return x[i]; };
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = value(i + threadIdx.x);
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
  }
  __device__ void outer(int n) { this->inner(n); }
};
__global__ void __launch_bounds__(T)
    nested(const float *__restrict__ x, float *__restrict__ y, int n) {
  Nested job{x, 1};
  job.outer(n);
  y[threadIdx.x] = job.sum;
}

// An object that the host made, and a static member function.
struct Given {
  const float *x;
  int n;
  __device__ float run() const {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum;
  }
  __device__ static float run(const float *x, int n) {
    __shared__ float xs[T];
    float sum = 0;
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T)
    given(const Given job, float *__restrict__ y) {
  y[threadIdx.x] = job.run() + Given::run(job.x, job.n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define RUN(KERNEL)                                                            \
  CASE(KERNEL) {                                                               \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      launch({1, T}, KERNEL, x, y, n);                                         \
    }                                                                          \
  }
RUN(reads)
RUN(changes)
CASE(start) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, start<Kernel<float, T>>, Parameters<float>{x, y, n});
  }
}
CASE(functions) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, functions, Parameters<float>{x, y, n});
  }
}
RUN(moves)
RUN(nested)
CASE(given) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, given, Given{x, n}, y);
  }
}
#endif
