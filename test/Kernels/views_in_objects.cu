// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are objects: what they load is seen through views that are members
// of theirs, or members of members.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s
// RUN: %kpipe rewrite %s --arch=sm_86 -n 2>&1 | FileCheck %s --implicit-check-not=warning:
// CHECK-COUNT-3: remark: pipelined K-loop: 2 stages of

#include <cuda_runtime.h>

constexpr int T = 8;

template <class V, class I> struct View {
  V *data;
  I pitch;
  __device__ V &operator()(I row, I column) const { return data[row * pitch + column]; }
  __device__ V at(I row, I column) const { return (*this)(row, column); }
};

// By an operator, which gives a reference.
template <class V, class I> struct Multiply {
  View<const V, I> a, b;
  View<V, I> c;
  I K;
  __device__ void operator()() const {
    __shared__ V as[T][T], bs[T][T];
    const I row = threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    V sum = 0;
    for (I k = 0; k < K; k += T) {
      as[threadIdx.y][threadIdx.x] = a(row, k + threadIdx.x);
      bs[threadIdx.y][threadIdx.x] = b(k + threadIdx.y, column);
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += as[threadIdx.y][j] * bs[j][threadIdx.x];
      __syncthreads();
    }
    c(row, column) = sum;
  }
};

// By a member that calls it; the views are members of a member.
struct Operands {
  View<const float, int> left, right;
};
struct Difference {
  Operands of;
  float *out;
  int n;
  __device__ void operator()() const {
    __shared__ float l[T * T], r[T * T];
    const int i = threadIdx.y * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
      l[i] = of.left.at(t, i);
      r[i] = of.right.at(t, i);
      __syncthreads();
      for (int j = 0; j < T * T; ++j)
        sum = sum * 0.5f + l[j] - r[(i + j) % (T * T)];
      __syncthreads();
    }
    out[i] = sum;
  }
};

// The view is made of a member, and is one of the function's own.
struct Copied {
  View<const float, int> from;
  float *out;
  int n;
  __device__ void operator()() const {
    __shared__ float s[T * T];
    const View<const float, int> own = from;
    const int i = threadIdx.y * T + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
      s[i] = own(t, i);
      __syncthreads();
      for (int j = 0; j < T * T; ++j)
        sum = sum * 0.5f + s[j] * i;
      __syncthreads();
    }
    out[i] = sum;
  }
};

template <class Body> __global__ void run(Body body) { body(); }
template __global__ void run(Multiply<float, unsigned>);
template __global__ void run(Difference);
template __global__ void run(Copied);

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(multiply) {
  for (int n : multiples(T)) {
    auto a = in<float>("a", T * n), b = in<float>("b", 2 * T * n), c = out<float>("c", 2 * T * T);
    launch({2, dim3(T, T)}, run<Multiply<float, unsigned>>,
           Multiply<float, unsigned>{{a, unsigned(n)}, {b, 2 * T}, {c, 2 * T}, unsigned(n)});
  }
}
CASE(difference) {
  for (int n : multiples(1)) {
    auto a = in<float>("a", T * T * n), b = in<float>("b", T * T * n), c = out<float>("c", T * T);
    launch({1, dim3(T, T)}, run<Difference>, Difference{{{a, T * T}, {b, T * T}}, c, n});
  }
}
CASE(copied) {
  for (int n : multiples(1)) {
    auto a = in<float>("a", T * T * n), c = out<float>("c", T * T);
    launch({1, dim3(T, T)}, run<Copied>, Copied{{a, T * T}, c, n});
  }
}
#endif
