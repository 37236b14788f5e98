// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles that are objects of class templates, in kernels that are templates: what
// waits in registers has the type that the tile's declaration gives to its class.
// REQUIRES: executor
// RUN: %variants --at-least=5 %s
// RUN: %kpipe rewrite %s --arch=sm_86 --variant=ldg -o %t.cu 2>&1 | FileCheck %s --check-prefix=SAYS --implicit-check-not=warning:
// SAYS-COUNT-5: remark: pipelined K-loop: 2 stages of
// RUN: %code %t.cu | FileCheck %s

#include <cuda_runtime.h>

constexpr int N = 8;

template <class V, int R, int C> struct Tile {
  using value_type = V;
  V rows[R][C + 1];
  __device__ V &operator()(int r, int c) { return rows[r][c]; }
  __device__ value_type &at(int r, int c) { return rows[r][c]; }
};

// By an operator and by a member function whose type is an alias.
// CHECK-LABEL: operators(
// CHECK: T as_reg;
// CHECK: U bs_reg;
template <class T, class U>
__global__ void operators(const T *__restrict__ A, const U *__restrict__ B, T *__restrict__ C, int K) {
  __shared__ Tile<T, N, N> as;
  __shared__ Tile<U, N, N> bs;
  const int x = threadIdx.x, y = threadIdx.y;
  T sum = 0;
  for (int k = 0; k < K; k += N) {
    as(y, x) = A[y * K + k + x];
    bs.at(y, x) = B[(k + y) * N + x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += as(y, j) * T(bs.at(j, x));
    __syncthreads();
  }
  C[y * N + x] = sum;
}

// The array in it, by a name of the function's own for the class.
// CHECK-LABEL: arrays(
// CHECK: T rows_reg;
template <class T>
__global__ void arrays(const T *__restrict__ A, T *__restrict__ C, int K) {
  using Own = Tile<T, N, N>;
  __shared__ Own own;
  const int x = threadIdx.x, y = threadIdx.y;
  T sum = 0;
  for (int k = 0; k < K; k += N) {
    own.rows[y][x] = A[y * K + k + x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += own.rows[y][j] * T(j + x);
    __syncthreads();
  }
  C[y * N + x] = sum;
}

// A type that is the same for all, and numbers that are not.
// CHECK-LABEL: numbers(
// CHECK: float own_reg;
template <int M>
__global__ void numbers(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ Tile<float, M, N> own;
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k += N) {
    own(y, x) = A[y * K + k + x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += own(y, j) * float(j + x);
    __syncthreads();
  }
  C[y * N + x] = sum;
}

// Filled by a helper, which has a name of its own for the type.
// CHECK: struct fill_tile {
// CHECK-NEXT: E to[kpipe::ceil_div(R * C, Threads)];
template <class E, int R, int C, int Threads>
__device__ void fill(Tile<E, R, C> &to, const E *__restrict__ from, int pitch) {
  for (int i = threadIdx.y * N + threadIdx.x; i < R * C; i += Threads)
    to(i / C, i % C) = from[i / C * pitch + i % C];
}
template <class T>
__global__ void helped(const T *__restrict__ A, T *__restrict__ C, int K) {
  __shared__ Tile<T, N, 2 * N> as;
  const int x = threadIdx.x, y = threadIdx.y;
  T sum = 0;
  for (int k = 0; k < K; k += 2 * N) {
    fill<T, N, 2 * N, N * N>(as, A + k, K);
    __syncthreads();
    for (int j = 0; j < 2 * N; ++j)
      sum = sum * T(0.5) + as(y, j) * T(j + x);
    __syncthreads();
  }
  C[y * N + x] = sum;
}

// Several tiles in an array.
// CHECK-LABEL: several(
// CHECK: T all_reg[2];
template <class T>
__global__ void several(const T *__restrict__ A, T *__restrict__ C, int K) {
  __shared__ Tile<T, N, N> all[2];
  const int x = threadIdx.x, y = threadIdx.y;
  T sum = 0;
  for (int k = 0; k < K; k += 2 * N) {
    for (int i = 0; i < 2; ++i)
      all[i](y, x) = A[y * K + k + i * N + x];
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum += all[0](y, j) - all[1](j, x) * T(j);
    __syncthreads();
  }
  C[y * N + x] = sum;
}

void run(const float *a, const double *b, float *c, double *d, int K) {
  operators<float, double><<<1, dim3(N, N)>>>(a, b, c, K);
  operators<double, float><<<1, dim3(N, N)>>>(b, a, d, K);
  arrays<float><<<1, dim3(N, N)>>>(a, c, K);
  arrays<double><<<1, dim3(N, N)>>>(b, d, K);
  numbers<N><<<1, dim3(N, N)>>>(a, c, K);
  helped<float><<<1, dim3(N, N)>>>(a, c, K);
  helped<double><<<1, dim3(N, N)>>>(b, d, K);
  several<float><<<1, dim3(N, N)>>>(a, c, K);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(operators) {
  for (int n : multiples(N)) {
    auto a = in<float>("a", N * n), c = out<float>("c", N * N);
    auto b = in<double>("b", N * n), d = out<double>("d", N * N);
    launch({1, dim3(N, N)}, operators<float, double>, a, b, c, n);
    launch({1, dim3(N, N)}, operators<double, float>, b, a, d, n);
  }
}
CASE(arrays) {
  for (int n : multiples(N)) {
    auto a = in<float>("a", N * n), c = out<float>("c", N * N);
    auto b = in<double>("b", N * n), d = out<double>("d", N * N);
    launch({1, dim3(N, N)}, arrays<float>, a, c, n);
    launch({1, dim3(N, N)}, arrays<double>, b, d, n);
  }
}
CASE(numbers) {
  for (int n : multiples(N)) {
    auto a = in<float>("a", N * n), c = out<float>("c", N * N);
    launch({1, dim3(N, N)}, numbers<N>, a, c, n);
  }
}
CASE(helped) {
  for (int n : multiples(2 * N)) {
    auto a = in<float>("a", N * n), c = out<float>("c", N * N);
    auto b = in<double>("b", N * n), d = out<double>("d", N * N);
    launch({1, dim3(N, N)}, helped<float>, a, c, n);
    launch({1, dim3(N, N)}, helped<double>, b, d, n);
  }
}
CASE(several) {
  for (int n : multiples(2 * N)) {
    auto a = in<float>("a", N * n), c = out<float>("c", N * N);
    launch({1, dim3(N, N)}, several<float>, a, c, n);
  }
}
#endif
