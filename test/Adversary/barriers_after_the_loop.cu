// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The barrier that ends the loop also orders what the compute did against what
// stands behind the loop: neighbours' global elements, other shared arrays, the
// tile as scratch. A pipeline whose last tile has no barrier breaks that.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=3 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
war_global(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
three_barriers(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  xs[threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = xs[threadIdx.x ^ 1];
}

__global__ void __launch_bounds__(T)
rotated_front_read(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __syncthreads();
    float old = w[threadIdx.x ^ 1];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + old);
  }
  if (n)
    w[threadIdx.x] = sum;
}

// Two writes of one element by two threads.
__global__ void __launch_bounds__(T)
waw_global(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[(threadIdx.x + 1) % T] = sum;
    __syncthreads();
  }
  w[threadIdx.x] = -sum;
}

// What a neighbour stored in the loop is read behind it.
__global__ void __launch_bounds__(T)
raw_global(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[threadIdx.x] = sum;
    __syncthreads();
  }
  float other = w[threadIdx.x ^ 1];
  w[T + threadIdx.x] = other - sum;
}

// A shared array that is no tile, written behind the loop by a helper.
__device__ void publish(float *to, float value) { to[threadIdx.x] = value; }
__global__ void __launch_bounds__(T)
war_shared_helper(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], bias[T];
  float sum = 0;
  bias[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * bias[(threadIdx.x + j) % T];
    __syncthreads();
  }
  publish(bias, sum);
  __syncthreads();
  y[threadIdx.x] = bias[threadIdx.x ^ 1];
}

// The loop is a template helper's, the store its caller's.
template <typename E>
__device__ E weighted(const E *x, const E *w, int n) {
  __shared__ E xs[T];
  E sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(T)
war_in_the_caller(const float *x, float *w, int n) {
  w[threadIdx.x] = weighted(x, w, n);
}

// The store is an atomic, in a macro, and only for some threads.
#define PUBLISH(to, value)                                                     \
  if (threadIdx.x % 2)                                                         \
  atomicAdd(&(to)[threadIdx.x / 2], value)
__global__ void __launch_bounds__(T)
war_atomic_macro(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int i = 0;
  while (i < n) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[j];
    __syncthreads();
    i += T;
  }
  PUBLISH(w, sum);
}

// The compute reads through an array of the block, written in a later branch.
__global__ void __launch_bounds__(T)
war_two_branches(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int xs[T];
  __shared__ int perm[T];
  int sum = 0;
  perm[threadIdx.x] = (threadIdx.x * 5) % T;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[perm[j]] * (threadIdx.x ^ j);
    __syncthreads();
  }
  if (n > T)
    perm[threadIdx.x] = sum;
  else
    perm[threadIdx.x ^ 1] = sum;
  __syncthreads();
  y[threadIdx.x] = perm[threadIdx.x ^ 3];
}

// What each thread stores behind the loop nobody has read.
__global__ void __launch_bounds__(T)
own_output_legal(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * x[(threadIdx.x + j) % T];
    __syncthreads();
  }
  w[threadIdx.x] = sum;
}

// The author has one more barrier.
__global__ void __launch_bounds__(T)
own_barrier_legal(const float *x, float *w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * w[(threadIdx.x + j) % T];
    __syncthreads();
  }
  __syncthreads();
  w[threadIdx.x] = sum;
}

// A thread's own element needs none.
__global__ void __launch_bounds__(T)
own_element_legal(const float *__restrict__ x, float *__restrict__ w, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    w[threadIdx.x] = sum;
    __syncthreads();
  }
  w[threadIdx.x] -= sum / 2;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
UPDATES(war_global)
TILES(three_barriers)
UPDATES(rotated_front_read)
UPDATES(waw_global)
UPDATES(raw_global)
TILES(war_shared_helper)
UPDATES(war_in_the_caller)
UPDATES(war_atomic_macro)
CASE(war_two_branches) {
  for (int n : multiples(T)) {
    auto x = in<int>("x", n), y = out<int>("y", T);
    launch({1, T}, war_two_branches, x, y, n);
  }
}
UPDATES(own_output_legal)
UPDATES(own_barrier_legal)
UPDATES(own_element_legal)
#endif
