// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile loops that a block runs more than once over parts of one array, or for a
// variable that a condition makes anew in each turn. Parts share the stages of
// their array, so that a run finds what the one before it left in another part.
// REQUIRES: executor
// RUN: %variants --ways=few %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='2 stages of '
//
// Each array by itself, from its beginning on, has stages of its own.
// CHECK-DAG: 2 stages of tile
// CHECK-DAG: 2 stages of tile
// CHECK-DAG: 2 stages of kept

constexpr int T = 64;

#define KERNEL(Name)                                                           \
  __global__ void __launch_bounds__(T) Name(const float *x, float *y, int n)

// Both runs read all of the array and store half of it.
__device__ float into_half(const float *x, float *part, const float *all,
                           int n) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    part[t] = x[k + t] * 2;
    __syncthreads();
    for (int i = 0; i < 2 * T; ++i)
      sum += all[i] * (i ^ t);
    __syncthreads();
  }
  return sum;
}
KERNEL(halves) {
  __shared__ float xs[2 * T];
  xs[threadIdx.x + T] = 1;
  const float sum = into_half(x, xs, xs, n);
  y[threadIdx.x] = sum + into_half(x + 7, xs + T, xs, n);
}

// A part looks beside itself.
__device__ float beside(const float *x, float *part, int left, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    part[t] = x[k + t] * 2;
    __syncthreads();
    for (int i = -left; i < T; ++i)
      sum += part[i] * (i ^ t);
    __syncthreads();
  }
  return sum;
}
KERNEL(parts_in_turn) {
  __shared__ float xs[3 * T];
  float sum = 0;
  for (int p = 0; p < 3; ++p)
    sum = sum * 2 + beside(x + p, xs + p * T, p * T, n);
  y[threadIdx.x] = sum;
}
KERNEL(rows_in_turn) {
  __shared__ float xs[3][T];
  float sum = beside(x, xs[0], 0, n);
  sum += beside(x + 3, xs[1], T, n);
  y[threadIdx.x] = sum + beside(x + 9, &xs[2][0], T, n);
}
// The same of rows alone, each given by its number.
__device__ float beside_row(const float *x, float *row, int left, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    row[t] = x[k + t] * 2;
    __syncthreads();
    for (int i = -left; i < T; ++i)
      sum += row[i] * (i ^ t);
    __syncthreads();
  }
  return sum;
}
KERNEL(rows_by_number) {
  __shared__ float xs[3][T];
  float sum = beside_row(x, xs[0], 0, n);
  sum += beside_row(x + 3, xs[1], T, n);
  y[threadIdx.x] = sum + beside_row(x + 9, &xs[2][0], 2 * T, n);
}
// Tiles that are given as wholes: of one array in all calls, of several.
__device__ float from_start(const float *x, float *tile, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    tile[t] = x[k + t] * 2;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i] * (i ^ t);
    __syncthreads();
  }
  return sum;
}
KERNEL(the_whole) {
  __shared__ float whole[T];
  float sum = 0;
  for (int p = 0; p < 3; ++p)
    sum = sum * 2 + from_start(x + p, &whole[0], n);
  y[threadIdx.x] = sum;
}
__device__ float from_starts(const float *x, float *tile, int n) {
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    tile[t] = x[k + t] * 3;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i] * (i ^ t);
    __syncthreads();
  }
  return sum;
}
KERNEL(two_wholes) {
  __shared__ float first[T];
  __shared__ float second[T];
  const float sum = from_starts(x, first, n);
  y[threadIdx.x] = sum * 2 + from_starts(x + 1, second, n);
}

// What is stored hangs on a variable of the outer loop's condition.
KERNEL(condition_of_while) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int runs = 3;
  while (int left = runs--) {
    for (int k = 0; k < n; k += T) {
      if (left == 3 || t % left == 0)
        xs[t] = x[k + t] * 2;
      __syncthreads();
      for (int i = 0; i < T; ++i)
        sum += xs[i] * (i ^ t);
      __syncthreads();
    }
  }
  y[t] = sum;
}
KERNEL(condition_of_for) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int run = 3; const int left = run--;) {
    for (int k = 0; k < n; k += T) {
      if (t % (4 - left) == 0)
        xs[t] = x[k + t] * 2;
      __syncthreads();
      for (int i = 0; i < T; ++i)
        sum += xs[i] * (i ^ t);
      __syncthreads();
    }
  }
  y[t] = sum;
}
KERNEL(range) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  const int strides[] = {1, 4, 2};
  for (int stride : strides) {
    for (int k = 0; k < n; k += T) {
      if (t % stride == 0)
        xs[t] = x[k + t] * 2;
      __syncthreads();
      for (int i = 0; i < T; ++i)
        sum += xs[i] * (i ^ t);
      __syncthreads();
    }
  }
  y[t] = sum;
}
// What is made in each turn says nothing of the places.
KERNEL(condition_beside) {
  __shared__ float kept[T];
  const int t = threadIdx.x;
  float sum = 0;
  int runs = 3;
  while (int left = runs--) {
    for (int k = 0; k < n; k += T) {
      kept[t] = x[k + t] * 2 + left;
      __syncthreads();
      for (int i = 0; i < T; ++i)
        sum += kept[i] * (i ^ t);
      __syncthreads();
    }
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(Name)                                                             \
  CASE(Name) {                                                                 \
    auto x = in<float>("x", 6 * T + 16), y = out<float>("y", T);               \
    launch({1, T}, Name, x, y, 5 * T);                                         \
  }
EACH(halves)
EACH(parts_in_turn)
EACH(rows_in_turn)
EACH(rows_by_number)
EACH(the_whole)
EACH(two_wholes)
EACH(condition_of_while)
EACH(condition_of_for)
EACH(range)
EACH(condition_beside)
#endif
