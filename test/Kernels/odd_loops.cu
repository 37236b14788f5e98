// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that people write differently than the textbook: other loops inside the
// load, inductions with a life of their own, arrays that are used around the
// loop, functions that are given tiles. What comes out must compute the same.
// REQUIRES: executor
// RUN: %variants --at-least=17 %s

constexpr int T = 64;

// Differs between threads, so that a mixed-up element shows.
__device__ float weight(int j) { return float(threadIdx.x ^ j); }

#define TILES(NAME)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)

// A functor that keeps the sum.
struct Acc {
  float s = 0;
  int k = 0;
  __device__ void add(float v) {
    s += v;
    ++k;
  }
  __device__ int at() const { return k; }
};
TILES(functor) {
  __shared__ float xs[T];
  Acc a;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      a.add(xs[j] * weight(j));
    __syncthreads();
  }
  y[threadIdx.x] = a.s + a.at();
}

// An object that both regions ask where they are.
struct It {
  int k;
  __device__ void step() { k += T; }
  __device__ int operator*() const { return k; }
};
TILES(iterator) {
  __shared__ float xs[T];
  It it{0};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[*it + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + *it;
    it.step();
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Which array is filled alternates.
TILES(ternary_lvalue) {
  __shared__ float xs[T], zs[T];
  float sum = 0;
  xs[threadIdx.x] = zs[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    ((i / T) % 2 ? xs : zs)[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) - zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A switch decides what is stored.
TILES(switch_load) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    switch (threadIdx.x % 3) {
    case 0:
      xs[threadIdx.x] = x[i + threadIdx.x];
      break;
    case 1:
      xs[threadIdx.x] = 2 * x[i + threadIdx.x];
      break;
    default:
      xs[threadIdx.x] = -x[i + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The copy loop is a while loop.
TILES(while_load) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int j = threadIdx.x;
    while (j < T) {
      xs[j] = x[i + j];
      j += T;
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// It is a do loop, with two copies in one statement.
TILES(do_load) {
  __shared__ float xs[T], zs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int j = threadIdx.x;
    do {
      xs[j] = x[i + j], zs[j] = x[i + T - 1 - j];
    } while ((j += T) < T);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + zs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two variables in the header, both read by both regions.
TILES(two_vars) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0, k = 3; i < n; i += T, k = k * 5 % 7) {
    xs[threadIdx.x] = x[i + (threadIdx.x + k) % T];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + k;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Counting down, unsigned.
TILES(unsigned_down) {
  __shared__ float xs[T];
  float sum = 0;
  for (unsigned i = n; i >= T; i -= T) {
    xs[threadIdx.x] = x[i - T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + i;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The loop ends when its small variable wraps around.
__global__ void __launch_bounds__(T)
    wraps(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  unsigned char c = 0;
  for (c = 192; c != 0 && n; c += T) {
    xs[threadIdx.x] = x[(c + threadIdx.x) % n];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + c;
    __syncthreads();
  }
  y[threadIdx.x] = sum + c;
}

// A shared counter, read behind the last barrier.
TILES(static_counter) {
  __shared__ float xs[T];
  float sum = 0;
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    if (threadIdx.x == 0)
      ++count;
    __syncthreads();
    sum += count;
  }
  y[threadIdx.x] = sum;
}

// A shared histogram that the load clears and the compute fills.
TILES(shared_atomics) {
  __shared__ float xs[T];
  __shared__ int hist[4];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (threadIdx.x < 4)
      hist[threadIdx.x] = 0;
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    atomicAdd(&hist[threadIdx.x % 4], int(xs[threadIdx.x] * 8));
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + hist[j % 4];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One helper changes shared memory here and global memory there.
__device__ void scale(float *p, float f) { p[threadIdx.x] *= f; }
__global__ void __launch_bounds__(T)
    helper_both(const float *__restrict__ x, float *__restrict__ y,
                float *__restrict__ z, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    scale(xs, 2.0f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    scale(z, 0.5f);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Two functions give a third their tiles, as two arrays and as one.
__device__ float tiles(float *a, float *b, const float *__restrict__ x, int n) {
  float sum = 0;
  for (int i = 0; i + T <= n; i += T) {
    a[threadIdx.x] = x[i + threadIdx.x];
    b[threadIdx.x] = x[i + T - 1 - threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += a[j] * weight(j) + b[j];
    __syncthreads();
  }
  return sum;
}
TILES(called_a) {
  __shared__ float xs[T], zs[T];
  y[threadIdx.x] = tiles(xs, zs, x, n);
}
TILES(called_b) {
  __shared__ float xs[2 * T];
  y[threadIdx.x] = tiles(xs, xs + T, x, n);
}

// Two loads overlap in one array; the barrier between them orders them.
TILES(overlap) {
  __shared__ float xs[2 * T];
  float sum = 0;
  float *a = xs, *b = xs + T / 2;
  for (int i = 0; i < n; i += T) {
    a[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    b[threadIdx.x] = x[i + T - 1 - threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += a[j] * weight(j) + b[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Blocks with variables of their own that shadow others.
TILES(shadow) {
  __shared__ float xs[T];
  float sum = 0;
  int k = 7;
  for (int i = 0; i < n; i += T) {
    {
      int k = i;
      xs[threadIdx.x] = x[k + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      int k = j;
      sum += xs[k] * weight(j);
    }
    sum += k;
    k += 2;
    __syncthreads();
  }
  y[threadIdx.x] = sum + k;
}

// An induction that is stepped under a condition.
TILES(conditional_induction) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[(i + off + threadIdx.x) % n];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + off;
    if (i % (3 * T) == T)
      off += 5;
    else
      off ^= 1;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}

// What is loaded is stored, and used by the compute as well.
TILES(loaded_for_both) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    float v = x[i + threadIdx.x];
    xs[threadIdx.x] = v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Prefetched by hand, into a register.
TILES(hand_prefetch) {
  __shared__ float xs[T];
  float sum = 0;
  float next = n ? x[threadIdx.x] : 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = next;
    __syncthreads();
    if (i + T < n)
      next = x[i + T + threadIdx.x];
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Declared in an outer loop, which enters the loop again.
TILES(outer_scope) {
  float sum = 0;
  for (int r = 0; r < 3; ++r) {
    __shared__ float xs[T];
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * weight(j) + r;
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}

// The array is used for something else after the loop.
TILES(reuse_after) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  xs[T - 1 - threadIdx.x] = sum;
  __syncthreads();
  y[threadIdx.x] = xs[threadIdx.x] + xs[(threadIdx.x + 1) % T];
}

// A part of it is, the rest must hold the last tile.
TILES(partial_after) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  if (n) {
    if (threadIdx.x < 10)
      xs[threadIdx.x] = sum;
    __syncthreads();
    sum += xs[T - 1 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}

// A closure from before the loop reads the tile, in a range-based loop.
TILES(range_for) {
  __shared__ float xs[T];
  float sum = 0;
  int ks[4] = {1, 2, 3, 4};
  auto dot = [&](int j) { return xs[j] * weight(j); };
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int k : ks)
      for (int j = 0; j < T; ++j)
        sum += dot(j) * k;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A closure fills it.
TILES(load_lambda) {
  __shared__ float xs[T];
  float sum = 0;
  auto fetch = [&](int i) { xs[threadIdx.x] = x[i + threadIdx.x]; };
  for (int i = 0; i < n; i += T) {
    fetch(i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Barriers in a loop inside the compute region.
TILES(do_tile) {
  __shared__ float xs[T], ps[T];
  float sum = 0;
  int i = 0;
  if (n > 0)
    do {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int r = 0; r < 2; ++r) {
        ps[threadIdx.x] = xs[T - 1 - threadIdx.x] + r;
        __syncthreads();
        for (int j = 0; j < T; ++j)
          sum += ps[j] * weight(j);
        __syncthreads();
      }
      i += T;
    } while (i < n);
  y[threadIdx.x] = sum + i;
}

// Members of one element are stored by different threads.
struct Pair {
  float a, b;
};
TILES(struct_parts) {
  __shared__ Pair xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x].a = x[i + threadIdx.x];
    xs[T - 1 - threadIdx.x].b = x[i + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j].a * weight(j) + xs[j].b;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One of two arrays is filled in the first iteration only.
TILES(first_only) {
  __shared__ float xs[T], cs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    if (i == 0)
      cs[threadIdx.x] = x[threadIdx.x];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j) + cs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// The same buffer serves the next call at once.
__device__ float sum_up(const float *__restrict__ x, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  return sum;
}
TILES(called_twice) {
  float sum = sum_up(x, n);
  y[threadIdx.x] = sum - 3 * sum_up(x, n);
}
// The loop is the last that this one does but for what leaves the block.
__device__ void add_up(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] += sum;
}
TILES(added_twice) {
  y[threadIdx.x] = 0;
  add_up(x, y, n);
  add_up(x, y, n);
}

// The condition is false before the first tile, which is computed all the same.
TILES(do_around) {
  __shared__ float xs[T];
  float sum = 0;
  int i = 0;
  if (n > 0)
    do {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * weight(j);
      __syncthreads();
      i += T;
    } while (i % n != 0);
  y[threadIdx.x] = sum;
}

// The copies change their index: each takes back half of the header's step.
TILES(half_steps) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < 4 * T; j += 2 * T) {
      xs[j] = x[(i + j) % n];
      j -= T;
    }
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * weight(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define C(K)                                                                   \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      launch({1, T}, K, x, y, n);                                              \
    }                                                                          \
  }
C(functor)
C(iterator)
C(ternary_lvalue) C(switch_load) C(while_load) C(do_load) C(two_vars)
    C(unsigned_down) C(wraps) C(static_counter) C(shared_atomics)
        CASE(helper_both) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T), z = out<float>("z", T);
    launch({1, T}, helper_both, x, y, z, n);
  }
}
C(called_a)
C(called_b)
C(called_twice)
C(added_twice)
C(overlap) C(shadow) C(conditional_induction) C(loaded_for_both)
    C(hand_prefetch) C(outer_scope) C(reuse_after) C(partial_after) C(range_for)
        C(load_lambda) C(do_tile) C(struct_parts) C(first_only)
            C(do_around) C(half_steps)
#endif
