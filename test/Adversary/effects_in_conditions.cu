// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions, indices and values that change something: a copy that is split in
// a fetch and a store, or asked twice for its guard, must not do it twice, and
// not never.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
ternary_counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int c = 0;
    for (int j = 0; j < 4; ++j)
      xs[j * T + threadIdx.x] = c++ < 3 ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
if_counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int j = 0; j < 4; ++j)
    xs[j * T + threadIdx.x] = 0.5f;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    int c = 0;
    for (int j = 0; j < 4; ++j)
      if ((c += 1 + i / T % 2) < 4)
        xs[j * T + threadIdx.x] = x[i + threadIdx.x];
      else
        xs[j * T + threadIdx.x] = 0;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In the index of the place, in that of the source, in both.
__global__ void __launch_bounds__(T)
index_counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int to = 0, from = i;
    for (int j = 0; j < 4; ++j)
      xs[to++ * T + threadIdx.x] =
          j < 3 ? x[(from++ + threadIdx.x) % n] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + to + from;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
place_counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int to = 0;
    for (int j = 0; j < 4; ++j)
      xs[to++ * T + threadIdx.x] = j < 3 ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
place_counts_guard(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int to = 0;
    for (int j = 0; j < 4; ++j)
      if (j != i / T % 5)
        xs[to++ * T + threadIdx.x] = x[i + threadIdx.x];
      else
        xs[3 * T + threadIdx.x] = 0;
    if (to == 4)
      xs[3 * T + threadIdx.x] = 1;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
source_counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int from = i;
    for (int j = 0; j < 4; ++j)
      xs[j * T + threadIdx.x] =
          from++ % 4 < 3 ? x[i + (from + threadIdx.x) % T] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
nested_choice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int c = 0;
    for (int j = 0; j < 4; ++j)
      xs[j * T + threadIdx.x] =
          j == 0 || ++c > 1 ? x[i + (threadIdx.x + c) % T] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// By a helper that takes a reference, within &&.
__device__ bool take(int &left) { return left-- > 0; }
__global__ void __launch_bounds__(T)
helper_counts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int left = 2;
    for (int j = 0; j < 4; ++j)
      xs[j * T + threadIdx.x] =
          j > 0 && take(left) ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// By an assignment in the value, and by the comma operator.
__global__ void __launch_bounds__(T)
value_counts(const float4 *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float4 xs[T];
  float sum = 0;
  int count = 0, last = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = (++count, last = i, x[last + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += (xs[j].x - xs[j].w) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + count + last;
}

// By an operator of the author's: a guard that counts how often it is asked.
struct Budget {
  int left;
  __device__ operator bool() { return left-- > 0; }
};
struct Walk {
  const float *at;
  __device__ float operator*() {
    float v = *at;
    at += T;
    return v;
  }
};
__global__ void __launch_bounds__(T)
operators_count(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Budget budget{1 + i / T % 2};
    Walk walk{x + i + threadIdx.x};
    for (int j = 0; j < 2; ++j)
      xs[j * T + threadIdx.x] = budget ? *walk : 0.0f;
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A stateful random number of the thread's decides.
__device__ unsigned draw(unsigned &state) {
  return (state = state * 1664525u + 1013904223u) >> 28;
}
__global__ void __launch_bounds__(T)
random_guard(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  unsigned state = threadIdx.x;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = draw(state) < 8 ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + state % 16;
}

// The condition of the outer loop counts, too.
__global__ void __launch_bounds__(T)
loop_condition_counts(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  int asked = 0;
  for (int i = 0; ++asked, i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + asked;
}

__global__ void __launch_bounds__(T)
pure_guard_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = 0; j < 4; ++j)
      xs[j * T + threadIdx.x] = j < 3 ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__device__ bool inside(int at, int n) { return at < n; }
__global__ void __launch_bounds__(T)
helper_guard_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] =
        inside(i + threadIdx.x, n) ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(place_counts)
TILES(place_counts_guard)
TILES(source_counts)
TILES(nested_choice)
TILES(ternary_counts)
TILES(if_counts)
TILES(index_counts)
TILES(helper_counts)
VECTORS(value_counts, float4)
TILES(operators_count)
TILES(random_guard)
TILES(loop_condition_counts)
TILES(pure_guard_legal)
PARTS(helper_guard_legal)
#endif
