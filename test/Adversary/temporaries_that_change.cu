// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables that look as if they only held a value on its way to the tile: what
// the load finds where the store stands is something else. They stay, and the
// copy goes through registers.
// REQUIRES: executor
// RUN: %variants --ways=few --at-least=15 %s
// RUN: %kpipe rewrite --arch=sm_86 %s 2>&1 | FileCheck %s
// CHECK-NOT: {{^ *}}kpipe::copy_async

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float4 *__restrict__ x, float *__restrict__ y, int n)
#define USE(Array)                                                             \
  for (int j = 0; j < 2 * T; ++j)                                              \
    sum += Array[j].x * (t ^ j) - Array[j].w

// The index is another one behind the load.
BEGIN(index_changes) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[T + t] = x[0];
  for (int k = 0; k < n; k += T) {
    int at = t;
    float4 v = x[k + at];
    at = t ^ 1;
    xs[at] = v;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// By another name.
BEGIN(index_changes_by_reference) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[T + t] = x[0];
  for (int k = 0; k < n; k += T) {
    int at = t;
    int &other = at;
    float4 v = x[k + at];
    other ^= 1;
    xs[other] = v;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// In the loop that fills the array.
BEGIN(pointer_moves_on) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    const float4 *p = x + k + t;
    float4 r[2];
    for (int i = 0; i < 2; ++i) {
      r[i] = p[i];
      p += T - 1;
    }
    for (int i = 0; i < 2; ++i)
      xs[t + i * T] = r[i];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// Two turns set one element, and the last one counts.
BEGIN(set_twice) {
  __shared__ float4 xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 r[2];
    for (int i = 0; i < 4; ++i)
      r[i / 2] = x[k + t + i];
    for (int i = 0; i < 4; ++i)
      xs[t + i * T] = r[i / 2];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// Elements that overlap in part.
BEGIN(overlap) {
  __shared__ float xs[8 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float2 r[4];
    for (int i = 0; i < 2; ++i)
      *(float4 *)&r[i] = x[k + t + i];
    for (int i = 0; i < 2; ++i)
      *(float4 *)&xs[4 * (t + i * T)] = *(float4 *)&r[i];
    __syncthreads();
    for (int j = 0; j < 8 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// The loops do not run in step.
BEGIN(backwards) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 r[2];
    for (int i = 0; i < 2; ++i)
      r[i] = x[k + t + i];
    for (int i = 0; i < 2; ++i)
      xs[t + i * T] = r[1 - i];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(other_first_turn) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 r[4];
    for (int i = 0; i < 3; ++i)
      r[i] = x[k + t + i];
    for (int i = 1; i < 3; ++i)
      xs[t + (i - 1) * T] = r[i];
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// More turns read than set; the elements come round again.
BEGIN(more_turns) {
  __shared__ float4 xs[4 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float4 r[2];
    for (int i = 0; i < 2; ++i)
      r[i % 2] = x[k + t + i];
    for (int i = 0; i < 4; ++i)
      xs[t + i * T] = r[i % 2];
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j].x * (t ^ j) - xs[j].w;
    __syncthreads();
  }
  y[t] = sum;
}

// Some threads keep what they had.
BEGIN(set_by_some) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[T + t] = x[1];
  float4 v = x[0];
  for (int k = 0; k < n; k += T) {
    if ((k / T + t) & 1)
      v = x[k + t];
    xs[t] = v;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// A name that means something else where the store stands.
BEGIN(shadowed) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[T + t] = x[0];
  for (int k = 0; k < n; k += T) {
    const int at = t;
    float4 v = x[k + at];
    {
      const int at = t ^ 3;
      xs[at] = v;
    }
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// It is declared anew for the place alone, and for what decides on the store.
BEGIN(shadowed_place) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    const int at = t;
    float4 v = x[k + at];
    float4 w = x[k + at + 1];
    {
      const int at = t ^ 3;
      xs[at] = v;
      xs[T + at] = w;
    }
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}
BEGIN(shadowed_guard) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[t] = xs[T + t] = x[0];
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    const int at = t;
    float4 v = x[k + at];
    {
      const int at = t ^ 3;
      if (at < T - 5)
        xs[at] = v;
    }
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// The variable converts.
BEGIN(converts) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[T + t] = 1;
  for (int k = 0; k < n; k += T) {
    int v = x[k + t].y;
    xs[t] = v;
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

// It is read again behind the tile.
BEGIN(read_later) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[T + t] = x[1];
  float4 v;
  for (int k = 0; k < n; k += T) {
    v = x[k + t];
    xs[t] = v;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = n ? sum + v.y : sum;
}

// Set and read by another name.
BEGIN(set_by_pointer) {
  __shared__ float4 xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  xs[T + t] = x[1];
  for (int k = 0; k < n; k += T) {
    float4 v;
    float4 *p = &v;
    *p = x[k + t];
    xs[t] = *p;
    __syncthreads();
    USE(xs);
    __syncthreads();
  }
  y[t] = sum;
}

// A bit-field keeps less than its type can hold.
struct Narrow {
  int low : 5, high : 27;
};
__global__ void __launch_bounds__(T)
    bit_field(const int *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ int xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    Narrow v;
    v.low = x[k + t];
    xs[t] = v.low;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
VECTORS(index_changes, float4)
VECTORS(index_changes_by_reference, float4)
VECTORS(pointer_moves_on, float4)
VECTORS(set_twice, float4)
VECTORS(overlap, float4)
VECTORS(backwards, float4)
VECTORS(other_first_turn, float4)
VECTORS(more_turns, float4)
VECTORS(set_by_some, float4)
VECTORS(shadowed, float4)
VECTORS(shadowed_place, float4)
VECTORS(shadowed_guard, float4)
VECTORS(converts, float4)
VECTORS(read_later, float4)
VECTORS(set_by_pointer, float4)
CASE(bit_field) {
  for (int n : multiples(T)) {
    auto x = in<int>("x", n);
    auto y = out<float>("y", T);
    launch({1, T}, bit_field, x, y, n);
  }
}
#endif
