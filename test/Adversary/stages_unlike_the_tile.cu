// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages that are not all that the author's tile was: aligned as widely, as
// large as the parameter that names them, moved by threads that are still
// there, filled from as many registers as a copy has turns.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=4 %s
//
// The check of the result refuses alone what the rules refuse.
// RUN: env KPIPE_RULES_OFF=all %kpipe-unruled rewrite --arch=sm_86 %s -o %t.cu 2>/dev/null
// RUN: %execute %s %t.cu

constexpr int T = 64;

#define KERNEL(NAME)                                                           \
  __global__ void __launch_bounds__(T)                                         \
      NAME(const float *__restrict__ x, float *__restrict__ y, int n)
#define SUM(AT)                                                                \
  for (int j = 0; j < T; ++j)                                                  \
    sum += (AT)*float((t ^ j) & 31);

// 1032 bytes are no multiple of the 16 that a view of them is read by.
KERNEL(wider_view) {
  __shared__ __align__(16) float block[4 * T + 2];
  float4 *v = (float4 *)block;
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float a = x[k + t];
    v[t] = make_float4(a, a + 1, a + 2, a + 3);
    __syncthreads();
    SUM(block[4 * j + 1])
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(wider_reference) {
  __shared__ __align__(16) float block[4 * T + 1];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float a = x[k + t];
    reinterpret_cast<float4 &>(block[4 * t]) = make_float4(a, a, a + 2, a);
    __syncthreads();
    SUM(block[4 * j + 2])
    __syncthreads();
  }
  y[t] = sum;
}

struct Wide {
  float *p;
  __device__ float4 &at(int i) const { return ((float4 *)p)[i]; }
};
KERNEL(wider_member) {
  __shared__ __align__(16) float block[4 * T + 2];
  Wide v{block};
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float a = x[k + t];
    v.at(t) = make_float4(a, a, a, a + 3);
    __syncthreads();
    SUM(block[4 * j + 3])
    __syncthreads();
  }
  y[t] = sum;
}

KERNEL(as_wide_legal) {
  __shared__ __align__(16) float block[4 * T];
  float4 *v = (float4 *)block;
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    float a = x[k + t];
    v[t] = make_float4(a, a + 1, a + 2, a + 3);
    __syncthreads();
    SUM(block[4 * j + 1])
    __syncthreads();
  }
  y[t] = sum;
}

// The author's code may do without the bits that an address lacks.
KERNEL(bits_of_an_address) {
  __shared__ __align__(1024) float block[T];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    block[t] = x[k + t];
    __syncthreads();
    SUM(block[j ^ t] * float((size_t)&block[t] & 1023))
    __syncthreads();
  }
  y[t] = sum;
}

// A row of the caller's array, which is smaller than what grows.
__device__ float by_row(const float *__restrict__ x, float (&a)[T], int n) {
  const float *p = a;
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    a[t] = x[k + t];
    __syncthreads();
    SUM(p[j ^ t])
    __syncthreads();
  }
  return sum;
}
KERNEL(row_of_array) {
  __shared__ float q[2][T];
  y[threadIdx.x] = by_row(x, q[1], n);
}

// A quarter of the block has left when its last tile is moved.
KERNEL(left_early_legal) {
  extern __shared__ float smem[];
  int t = threadIdx.x;
  float sum = 0;
  if (t >= 48)
    return;
  for (int k = 0; k < n; k += T) {
    smem[t] = x[k + t];
    if (t < 16)
      smem[t + 48] = x[k + t + 48];
    __syncthreads();
    SUM(smem[j])
    __syncthreads();
  }
  y[t] = sum + (n > 0 ? smem[63 - t] : 0.0f);
}
void run_left_early(const float *x, float *y, int n) {
  left_early_legal<<<1, T, 4 * T * 4>>>(x, y, n);
}

// 6u - 8 is large, 6 - 8 is not.
KERNEL(count_of_unsigned_legal) {
  __shared__ float a[4 * T];
  int t = threadIdx.x;
  float sum = 0;
  unsigned parts = 6;
  for (int k = 0; k < n; k += T) {
    for (unsigned i = 0; i < (parts - 8) / 1000000000; ++i)
      a[i * T + t] = 2 * x[k + t + i];
    __syncthreads();
    SUM(a[j] + a[3 * T + j])
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(count_of_enumerator_legal) {
  __shared__ float a[4 * T];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    enum : unsigned { Parts = 6 };
    for (unsigned i = 0; i < (Parts - 8) / 1000000000; ++i)
      a[i * T + t] = 2 * x[k + t + i];
    __syncthreads();
    SUM(a[j] + a[3 * T + j])
    __syncthreads();
  }
  y[t] = sum;
}

// What decides between two values moves the place of both.
__device__ bool bump(int &at) {
  at += T;
  return false;
}
struct At {
  int v;
  __device__ bool next() {
    v += T;
    return v > 1000;
  }
};
KERNEL(condition_moves_place) {
  __shared__ float a[2 * T];
  int t = threadIdx.x;
  float sum = 0;
  a[t] = a[t + T] = 0;
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    int at = t;
    if (k + t < n - 5 || bump(at))
      a[at] = 2 * x[k + t];
    else
      a[at] = 3;
    __syncthreads();
    SUM(a[j] + a[j + T])
    __syncthreads();
  }
  y[t] = sum;
}
KERNEL(condition_moves_object) {
  __shared__ float a[2 * T];
  int t = threadIdx.x;
  float sum = 0;
  a[t] = a[t + T] = 0;
  __syncthreads();
  for (int k = 0; k < n; k += T) {
    At at{t};
    if (k + t < n - 5 || at.next())
      a[at.v] = 2 * x[k + t];
    else
      a[at.v] = 3;
    __syncthreads();
    SUM(a[j] + a[j + T])
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME)                                                             \
  CASE(NAME) {                                                                 \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n + 4), y = out<float>("y", T);                  \
      launch({1, T}, NAME, x, y, n);                                           \
    }                                                                          \
  }
EACH(wider_view)
EACH(wider_reference)
EACH(wider_member)
EACH(as_wide_legal)
EACH(bits_of_an_address)
EACH(row_of_array)
EACH(count_of_unsigned_legal)
EACH(count_of_enumerator_legal)
EACH(condition_moves_place)
EACH(condition_moves_object)
CASE(left_early_legal) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    run_left_early(x, y, n);
  }
}
#endif
