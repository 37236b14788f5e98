// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A break behind declarations, which is the loop's condition with what they are
// made of in their place, and a continue behind the last barrier, which is a
// branch around the compute.
// REQUIRES: executor
// RUN: %variants --at-least=9 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: not grep 'not pipelined' %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 9
//
// RUN: mkdir -p %t && cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>/dev/null | %code | FileCheck %s

constexpr int T = 64;
#define KERNEL(name, ...)                                                      \
  __global__ void __launch_bounds__(T)                                         \
      name(const float *__restrict__ x, float *__restrict__ y, int n,          \
           ##__VA_ARGS__)

KERNEL(one_name) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  // CHECK-LABEL: one_name
  // CHECK: if ((i * T) < n) {
  for (int i = 0;; ++i) {
    int k = i * T;
    if (k >= n)
      break;
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * (t + j);
    __syncthreads();
  }
  y[t] = acc;
}

// One is made of another one, and the compute asks for both.
KERNEL(of_another) {
  __shared__ float s[T];
  int t = threadIdx.x, i = 0;
  float acc = 0;
  // CHECK-LABEL: of_another
  // CHECK: (n - (i * T)) > 0
  while (true) {
    int base = i * T;
    int left = n - base;
    if (left <= 0)
      break;
    s[t] = t < left ? x[base + t] : 0.f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * (t + j) - (j < left ? base : 0);
    __syncthreads();
    i++;
  }
  y[t] = acc;
}

// Beside a condition, with an array, and what is no part of the question.
KERNEL(beside, int m) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  // CHECK-LABEL: beside
  // CHECK: if (i < m && min(T, n - (i * T)) > 0) {
  for (int i = 0; i < m; ++i) {
    const int base = i * T, at = base + t;
    const int left = min(T, n - base);
    float r[2];
    if (left <= 0)
      break;
    s[t] = t < left ? x[at] : 0.f;
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      r[j & 1] = s[j];
      acc += r[j & 1] * (t + j);
    }
    __syncthreads();
  }
  y[t] = acc;
}

// A truth.
KERNEL(truth) {
  __shared__ float s[T];
  int t = threadIdx.x, k0 = 0;
  float acc = 0;
  while (1) {
    const float *row = x + k0;
    bool more = k0 < n;
    if (!more)
      break;
    s[t] = row[t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * (t + j);
    __syncthreads();
    k0 += T;
  }
  y[t] = acc;
}

// Not all that is declared is asked for.
KERNEL(aside) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int tile = 0; tile < 16; tile++) {
    int at = tile * blockDim.x + t;
    if (tile * T >= n)
      break;
    s[t] = at < n ? x[at] : 0;
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      if (j == t)
        continue;
      acc += s[j] * (t + j);
    }
    __syncthreads();
  }
  y[t] = acc;
}

// Whole blocks have nothing to do.
KERNEL(masked, const int *__restrict__ mask) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  // CHECK-LABEL: masked
  // CHECK: if (mask[k / T] != 0)
  for (int k = 0; k < n; k += T) {
    __syncthreads();
    s[t] = x[k + t];
    __syncthreads();
    if (mask[k / T] == 0)
      continue;
    for (int j = 0; j < T; ++j)
      acc += s[j] * (t + j);
  }
  y[t] = acc;
}

// Threads have nothing to do, and some only a little.
KERNEL(threads, int m) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0, few = 0;
  for (int k = 0; k < n; k += T) {
    __syncthreads();
    s[t] = x[k + t];
    __syncthreads();
    if (t >= m) {
      few += s[0];
      continue;
    }
    float part = 0;
    for (int j = 0; j < T; ++j)
      part += s[j] * (t + j);
    acc += part;
  }
  y[t] = acc + few;
}

// What is seen of a row ends with it.
KERNEL(causal, int first) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int k = 0; k < n; k += T) {
    __syncthreads();
    s[t] = x[k + t];
    __syncthreads();
    if (k > first + t)
      continue;
    for (int j = 0; j < T; ++j) {
      if (k + j > first + t)
        break;
      acc += s[j];
    }
  }
  y[t] = acc;
}

// Both, and twice.
KERNEL(both, int m) {
  __shared__ float s[T];
  int t = threadIdx.x;
  float acc = 0;
  for (int i = 0;; ++i) {
    const unsigned k = i * unsigned(T);
    if (k >= n)
      break;
    __syncthreads();
    s[t] = x[k + t];
    __syncthreads();
    if (t == m)
      continue;
    acc += s[t ^ 3];
    if (t > m)
      continue;
    acc -= s[t ^ 5] * 2;
  }
  y[t] = acc;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class Kernel, class... More>
static void whole(Kernel kernel, More... more) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, kernel, x, y, n, more...);
  }
}
CASE(one_name) { whole(one_name); }
CASE(of_another) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, of_another, x, y, n);
  }
}
CASE(beside) {
  for (int m : {0, 1, 3, 16})
    for (int n : sizes(T)) {
      auto x = in<float>("x", n), y = out<float>("y", T);
      launch({dim3(1), dim3(T)}, beside, x, y, n, m);
    }
}
CASE(truth) { whole(truth); }
CASE(aside) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, aside, x, y, n);
  }
}
CASE(masked) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    auto mask = in<int>("mask", n / T + 1,
                        [](std::size_t i) { return int(i % 3 != 1); });
    launch({dim3(1), dim3(T)}, masked, x, y, n, mask);
  }
}
CASE(threads) {
  whole(threads, 0);
  whole(threads, 17);
  whole(threads, T);
}
CASE(causal) {
  whole(causal, 5);
  whole(causal, 2 * T + 7);
}
CASE(both) { whole(both, 21); }
#endif
