// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays whose parts have names, and arrays that a helper's parameters stand for:
// what looks like a name of the tile and is one of something else, and uses of
// the array that no stage may take away.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=5 --option=--allow-occupancy-drop %s

constexpr int T = 64;

// Across the end of one part into the next, and from the middle.
__global__ void __launch_bounds__(T)
across_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[2 * T];
  float *xs = block, *zs = block + T;
  const float *middle = block + T / 2;
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    zs[t] = x[i + T - 1 - t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += xs[T + j] * middle[(j + t) % T] - zs[-1 - j];
    __syncthreads();
  }
  y[t] = s;
}

// The name moves in the loop.
__global__ void __launch_bounds__(T)
moves(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[2 * T];
  float *xs = block;
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += xs[j ^ t];
    __syncthreads();
    xs = xs == block ? block + T : block;
  }
  y[t] = s;
}

// Parts of it come from before the loop and are read in it, and behind it.
__global__ void __launch_bounds__(T)
table_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[2 * T];
  float *xs = block, *table = block + T;
  int t = threadIdx.x;
  table[t] = x[t] + 1;
  __syncthreads();
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += xs[j] * table[j ^ t];
    __syncthreads();
  }
  y[t] = s + table[T - 1 - t];
}

// Two loops, each with names of its own for the same places.
__global__ void __launch_bounds__(T)
two_loops(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[2 * T];
  float *first = block;
  float *second = block + T / 2;
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    first[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += first[j ^ t];
    __syncthreads();
  }
  for (int i = 0; i < n; i += T) {
    second[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s -= second[j] * float(t);
    __syncthreads();
  }
  y[t] = s;
}

// An object holds the address; a closure made before the loop does.
struct Held {
  float *at;
};
__global__ void __launch_bounds__(T)
held(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[T];
  Held h{block};
  float *xs = block;
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += h.at[j ^ t];
    __syncthreads();
  }
  y[t] = s;
}
__global__ void __launch_bounds__(T)
closure_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[T];
  float *xs = block;
  auto get = [=](int j) { return xs[j]; };
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += get(j ^ t);
    __syncthreads();
  }
  y[t] = s;
}

// Scratch of the compute is a part of the array.
__global__ void __launch_bounds__(T)
scratch(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[2 * T];
  float *xs = block, *part = block + T;
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    part[t] = xs[T - 1 - t] * 2;
    __syncthreads();
    s += part[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}

// What an earlier tile left is read where a tile does not store.
__global__ void __launch_bounds__(T)
keeps(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[2 * T];
  float *xs = block, *old = block + T;
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    if (i % (2 * T) == 0)
      old[t] = x[i + T - 1 - t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += xs[j] * old[j ^ t];
    __syncthreads();
  }
  y[t] = s;
}

// A helper's tiles: the arrays change places, are one, or have a use beside it.
__device__ float swapped(const float *x, float *a, float *b, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    a[t] = x[i + t];
    b[t] = x[i + T - 1 - t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += a[j] * b[(j + t) % T];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(T)
swaps(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[T];
  float s = swapped(x, a, b, n);
  y[threadIdx.x] = s - 2 * swapped(x, b, a, n);
}
__device__ float doubled(const float *x, float *a, const float *b, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    a[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += b[j ^ t];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(T)
one_array_twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  y[threadIdx.x] = doubled(x, a, a, n);
}
__device__ float beside(const float *x, float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    a[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += a[j ^ t];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(T)
reads_behind_call(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  a[threadIdx.x] = 3;
  __syncthreads();
  float s = beside(x, a, n);
  y[threadIdx.x] = s + a[threadIdx.x ^ 1];
}
__device__ float in_parts(const float *x, float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    a[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += a[j ^ t];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(T)
parts_of_one(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[2 * T];
  float s = in_parts(x, a, n);
  y[threadIdx.x] = s - 2 * in_parts(x, a + T, n / 2);
}
__device__ float sizes_differ(const float *x, float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    a[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += a[j ^ t];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(T)
larger(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T], b[3 * T];
  float s = sizes_differ(x, a, n);
  y[threadIdx.x] = s - 2 * sizes_differ(x, b, n);
}
// No barrier between the end of one run and the beginning of the next.
__device__ float again(const float *x, float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    a[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += a[j ^ t];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(T)
called_again_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  float s = 0;
  for (int r = 0; r < 3; ++r)
    s = s * 0.5f + again(x + r, a, n);
  y[threadIdx.x] = s;
}
// The pointer walks.
__device__ float walks(const float *x, float *a, int n) {
  int t = threadIdx.x;
  float s = 0;
  a += t;
  for (int i = 0; i < n; i += T) {
    *a = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += a[j - t];
    __syncthreads();
  }
  return s;
}
__global__ void __launch_bounds__(T)
walking(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float a[T];
  y[threadIdx.x] = walks(x, a, n);
}

// The bytes behind a tile are used by what runs before and behind the loop.
__global__ void __launch_bounds__(T)
tail_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  int t = threadIdx.x;
  smem[3 * T + t] = x[t];
  __syncthreads();
  float s = 0;
  for (int i = 0; i < n; i += T) {
    smem[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += smem[j ^ t];
    __syncthreads();
  }
  y[t] = s + smem[3 * T + (t ^ 1)];
}
void run_tail_before(const float *x, float *y, int n) {
  tail_before<<<1, T, 4 * T * sizeof(float)>>>(x, y, n);
}
__global__ void __launch_bounds__(T)
tail_again(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  int t = threadIdx.x;
  float all = 0;
  for (int r = 0; r < 3; ++r) {
    float s = 0;
    for (int i = 0; i < n; i += T) {
      smem[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        s += smem[j ^ t];
      __syncthreads();
    }
    if (r == 0)
      smem[2 * T + t] = s;
    __syncthreads();
    all += s * smem[2 * T + (t ^ 1)];
    __syncthreads();
  }
  y[t] = all;
}
void run_tail_again(const float *x, float *y, int n) {
  tail_again<<<1, T, 4 * T * sizeof(float)>>>(x, y, n);
}
// Where the tile lies is the host's number; one launch has less than two tiles.
__global__ void __launch_bounds__(T)
shifted_legal(const float *__restrict__ x, float *__restrict__ y, int n,
              int at) {
  extern __shared__ float smem[];
  float *xs = smem + at;
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += xs[j ^ t];
    __syncthreads();
  }
  y[t] = s;
}
void run_shifted_legal(const float *x, float *y, int n) {
  shifted_legal<<<1, T, 4 * T * sizeof(float)>>>(x, y, n, 3 * T);
}
__global__ void __launch_bounds__(T)
two_sizes_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float smem[];
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i += T) {
    smem[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      s += smem[j ^ t];
    __syncthreads();
  }
  y[t] = s;
}
void run_two_sizes_legal(const float *x, float *y, int n) {
  two_sizes_legal<<<1, T, 4 * T * sizeof(float)>>>(x, y, n);
  two_sizes_legal<<<1, T, T * sizeof(float)>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(across_legal)
TILES(moves)
TILES(table_before)
TILES(two_loops)
TILES(held)
TILES(closure_before)
TILES(scratch)
TILES(keeps)
TILES(swaps)
TILES(one_array_twice)
TILES(reads_behind_call)
TILES(parts_of_one)
TILES(larger)
TILES(called_again_legal)
TILES(walking)
#define RUNS(K)                                                                \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 2 * T), y = out<float>("y", T);              \
      run_##K(x, y, n);                                                        \
    }                                                                          \
  }
RUNS(tail_before)
RUNS(tail_again)
RUNS(shifted_legal)
RUNS(two_sizes_legal)
#endif
