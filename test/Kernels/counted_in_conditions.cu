// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions that step the loop's variable themselves: `while (n--)`. What they
// ask for is the value before or after the step, which can be had ahead, and
// behind the loop the variable is what the author's was.
// REQUIRES: executor
// RUN: %kpipe rewrite --arch=sm_86 %s 2>/dev/null | %code | FileCheck %s
// RUN: %variants --at-least=12 %s

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)

// CHECK-LABEL: while_after
// CHECK: n--;
// CHECK-NEXT: if (n + 1) {
// CHECK: for (; n; n--) {
// CHECK-NEXT: fetch_{{tile}}(n - 1);
BEGIN(while_after) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  while (n--) {
    xs[t] = x[n * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum + n;
}

// CHECK-LABEL: while_before
// CHECK: --i;
// CHECK-NEXT: if (i) {
// CHECK: for (; i - 1; --i) {
BEGIN(while_before) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int i = n + 1;
  while (--i) {
    xs[t] = x[i * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1] * i;
    __syncthreads();
  }
  y[t] = sum + i;
}

// CHECK-LABEL: compared
// CHECK: if (left + 1 > 0 && ok) {
// CHECK: for (; left > 0 && ok; left--) {
BEGIN(compared) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  const bool ok = n != 3;
  int left = n;
  while (left-- > 0 && ok) {
    xs[t] = x[left * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum + left;
}

// On the right, going up; another variable goes on in the body.
BEGIN(going_up) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int i = -1, k = 0;
  while (n > ++i) {
    xs[t] = x[k + t];
    k += T;
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum + i + k;
}
BEGIN(up_from_zero) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int i = 0;
  while (i++ != n) {
    xs[t] = x[i * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum + i;
}

// Unsigned ones wrap, as the author's do.
BEGIN(wraps) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  unsigned left = n;
  while (left--) {
    xs[t] = x[left * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum + (left == ~0u);
}
BEGIN(wide) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (long long left = n; left-- > 0;) {
    xs[t] = x[left * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum;
}

// In a for loop with a step of its own beside it.
BEGIN(beside_a_step) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  const float *from = x;
  for (int i = n; i--; from += T) {
    xs[t] = from[t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1] * i;
    __syncthreads();
  }
  y[t] = sum + (from - x);
}
BEGIN(before_first) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = -1; ++i < n;) {
    xs[t] = x[i * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  }
  y[t] = sum;
}

// Do loops, whose first tile is there unasked.
// CHECK-LABEL: do_before
// CHECK: for (; left - 1; --left) {
BEGIN(do_before) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int left = n, k = 0;
  if (n > 0)
    do {
      xs[t] = x[k + t];
      __syncthreads();
      sum = sum * 2 + xs[t ^ 1];
      k += T;
      __syncthreads();
    } while (--left);
  y[t] = sum + left + k;
}
BEGIN(do_after) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int left = n;
  do {
    xs[t] = x[left * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1] * left;
    __syncthreads();
  } while (left-- > 1);
  y[t] = sum + left;
}
BEGIN(do_up) {
  __shared__ float xs[T];
  const int t = threadIdx.x;
  float sum = 0;
  int i = 0;
  do {
    xs[t] = x[i * T + t];
    __syncthreads();
    sum = sum * 2 + xs[t ^ 1];
    __syncthreads();
  } while (++i < n);
  y[t] = sum + i;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define EACH(NAME)                                                             \
  CASE(NAME) {                                                                 \
    for (int n : multiples(1)) {                                               \
      auto x = in<float>("x", (n + 2) * T);                                    \
      auto y = out<float>("y", T);                                             \
      launch({dim3(1), dim3(T)}, NAME, x, y, n);                               \
    }                                                                          \
  }
EACH(while_after)
EACH(while_before)
EACH(compared)
EACH(going_up)
EACH(up_from_zero)
EACH(wraps)
EACH(wide)
EACH(beside_a_step)
EACH(before_first)
EACH(do_before)
EACH(do_after)
EACH(do_up)
#endif
