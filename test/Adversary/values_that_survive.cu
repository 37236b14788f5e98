// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is used and then set, as a whole, for the next tile: nothing is read
// before it is written within an iteration, and still it lives on. It may choose
// the place in shared memory, which is needed later than the load that sets it.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
row_set_after(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[4][T];
  float sum = 0;
  int row = 0;
  for (int i = 0; i < n; i += T) {
    xs[row][threadIdx.x] = x[i + threadIdx.x];
    row = (i / T + 1) & 3;
    __syncthreads();
    for (int r = 0; r < min(4, i / T + 1); ++r)
      for (int j = 0; j < T; ++j)
        sum += xs[r][j] * ((threadIdx.x ^ j) + r);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A lane, not a row; set by a helper through a reference.
__device__ void set_shift(int &shift, int tile) { shift = tile * 3 % T; }
__global__ void __launch_bounds__(T)
lane_set_by_helper(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int shift = 0;
  for (int i = 0; i < n; i += T) {
    xs[(threadIdx.x + shift) % T] = x[i + threadIdx.x];
    set_shift(shift, i / T + 1);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A member of a struct that is assigned whole.
struct Place {
  int shift, flip;
};
__global__ void __launch_bounds__(T)
struct_set_after(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Place at{0, 0};
  for (int i = 0; i < n; i += T) {
    xs[(threadIdx.x ^ at.flip) + at.shift] = x[i + threadIdx.x];
    at = Place{0, (i / T + 1) & 7};
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer into the tile, in both arms of an if.
__global__ void __launch_bounds__(T)
pointer_set_after(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
  int at = threadIdx.x;
  xs[T + threadIdx.x] = 1;
  __syncthreads();
  for (int i = 0; i < n; i += T) {
    xs[at] = x[i + threadIdx.x];
    if (i / T % 2)
      at = threadIdx.x;
    else
      at = T + (threadIdx.x ^ 1);
    __syncthreads();
    for (int j = 0; j < (i ? 2 : 1) * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The factor belongs to the next tile: a value, not a place.
__global__ void __launch_bounds__(T)
factor_set_after(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float factor = 3;
  bool skip = false;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = skip ? 0.5f : x[i + threadIdx.x] * factor;
    factor = i / T;
    skip = i / T % 3 == 1;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + factor;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Set by the compute, used by the load, never read in between.
__global__ void __launch_bounds__(T)
flag_set_by_compute(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  unsigned char flip = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x ^ flip] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    flip = i / T % 2 ? 5 : 2;
    __syncthreads();
  }
  y[threadIdx.x] = sum + flip;
}

// In an array of one element, and in a nested block that declares the same name.
__global__ void __launch_bounds__(T)
element_set_after(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  int flip[1] = {0};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x ^ flip[0]] = x[i + threadIdx.x];
    flip[0] = (i / T + 1) & 7;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + flip[0];
}

// Two buffers by hand: what is filled now is not what was filled before.
__global__ void __launch_bounds__(T)
other_buffer(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2][T];
  float sum = 0;
  int now = 0, next = 1;
  for (int i = 0; i < n; i += T) {
    xs[now][threadIdx.x] = x[i + threadIdx.x];
    int was = now;
    now = next;
    next = was;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[was][j] * (threadIdx.x ^ j) + (i ? xs[now][j] : 0);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
flip_set_before_legal(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  int flip;
  for (int i = 0; i < n; i += T) {
    flip = (i / T) & 7;
    xs[threadIdx.x ^ flip] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
flip_of_variable_legal(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    const int flip = (i / T) & 7;
    xs[threadIdx.x ^ flip] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + flip);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(row_set_after)
TILES(lane_set_by_helper)
TILES(struct_set_after)
TILES(pointer_set_after)
TILES(factor_set_after)
TILES(flag_set_by_compute)
TILES(element_set_after)
TILES(other_buffer)
TILES(flip_set_before_legal)
TILES(flip_of_variable_legal)
#endif
