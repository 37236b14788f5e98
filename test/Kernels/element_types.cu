// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of 8 and 16 bytes, three dimensions, several arrays in one
// declaration, and elements whose type only their class has a name for.
// REQUIRES: executor
// RUN: %variants --at-least=3 %s

constexpr int T = 8;

__global__ void __launch_bounds__(T *T)
dgemm(const double *A, const double *B, double *C, int N, int K) {
  __shared__ double As[T][T], Bs[T][T + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  double sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Complex numbers as float2; both operands in one three-dimensional array.
__global__ void __launch_bounds__(T *T)
cgemm(const float2 *A, const float2 *B, float2 *C, int N, int K) {
  __shared__ float2 tiles[2][T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float2 sum = make_float2(0.0f, 0.0f);
  for (int k0 = 0; k0 < K; k0 += T) {
    tiles[0][ty][tx] = A[row * K + k0 + tx];
    tiles[1][ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      float2 a = tiles[0][ty][k], b = tiles[1][k][tx];
      sum.x += a.x * b.x - a.y * b.y;
      sum.y += a.x * b.y + a.y * b.x;
    }
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// What the subscript gives is called by a name of the class.
template <class E, int N> struct Row {
  using value_type = E;
  value_type values[N];
  __device__ value_type &operator[](int i) { return values[i]; }
};
__global__ void __launch_bounds__(64)
by_subscript(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Row<float, 64> xs;
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 64) {
    xs[t] = 2 * x[k + t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  y[t] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(dgemm) {
  for (int k : multiples(T)) {
    auto a = in<double>("A", 8 * k), b = in<double>("B", k * 16);
    auto c = out<double>("C", 8 * 16);
    launch({dim3(2, 1), dim3(T, T)}, dgemm, a, b, c, 16, k);
  }
}
CASE(cgemm) {
  for (int k : multiples(T)) {
    auto a = in<float>("A", 2 * 8 * k), b = in<float>("B", 2 * k * 16);
    auto c = out<float>("C", 2 * 8 * 16);
    launch({dim3(2, 1), dim3(T, T)}, cgemm, a.as<float2>(), b.as<float2>(),
           c.as<float2>(), 16, k);
  }
}
CASE(by_subscript) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, by_subscript, x, y, n);
  }
}
#endif
