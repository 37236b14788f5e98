// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers in objects: matrices that functions cut parts of, as textbooks do,
// objects that are copied, assigned, chosen and nested. And objects that hold
// the address of a tile in ways that are easy to miss: the kernels named
// `own_...` read the element that the thread stored for the tile before.
// REQUIRES: executor
// RUN: %variants --at-least=6 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c ': remark:' | grep -x 6

constexpr int T = 16;

struct Matrix {
  int width, stride;
  float *at;
};
struct Both {
  Matrix first, second;
};
union Either {
  float *at;
  unsigned long bits;
};

__device__ Matrix part(Matrix of, int row, int col) {
  Matrix p;
  p.width = T;
  p.stride = of.stride;
  p.at = &of.at[of.stride * T * row + T * col];
  return p;
}
__device__ float element(const Matrix m, int row, int col) {
  return m.at[row * m.stride + col];
}
__device__ Matrix row_of(float *at) { return {T, T, at}; }
__device__ void give(Matrix &m, float *at) { m.at = at; }

__global__ void __launch_bounds__(T *T) product(Matrix a, Matrix b, Matrix c) {
  Matrix out = part(c, blockIdx.y, blockIdx.x);
  float sum = 0;
  int row = threadIdx.y, col = threadIdx.x;
  for (int m = 0; m < a.width / T; ++m) {
    Matrix left = part(a, blockIdx.y, m);
    Matrix right = part(b, m, blockIdx.x);
    __shared__ float as[T][T];
    __shared__ float bs[T][T];
    as[row][col] = element(left, row, col);
    bs[row][col] = element(right, row, col);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += as[row][k] * bs[k][col];
    __syncthreads();
  }
  out.at[row * out.stride + col] = sum;
}

__global__ void __launch_bounds__(T)
listed(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Matrix m = {T, T, x.at + i};
    xs[threadIdx.x] = m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
assigned(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Matrix m;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    m = row_of(z.at + i);
    xs[threadIdx.x] = m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
chosen(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Matrix m = i & T ? x : z;
    m.at += i;
    xs[threadIdx.x] = m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
nested(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Both m = {row_of(x.at + i), z};
    m.second.at = m.second.at + i;
    xs[threadIdx.x] = m.first.at[threadIdx.x] + m.second.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
copied(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Both all = {x, z};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Both m = all;
    xs[threadIdx.x] = m.first.at[i + threadIdx.x] * m.second.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_member(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix m;
  m.at = xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_by_callee(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix m = z;
  give(m, xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_by_reference(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Both m = {x, z};
  Matrix &second = m.second;
  second.at = xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = m.first.at[i + threadIdx.x] + m.second.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_by_address(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix m = z;
  float **at = &m.at;
  *at = xs;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_of_a_union(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Either m;
  m.bits = reinterpret_cast<unsigned long>(&xs[0]);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_of_a_copy(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Both all = {x, row_of(xs)};
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Both m = all;
    xs[threadIdx.x] = m.first.at[i + threadIdx.x] + m.second.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_by_closure(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix m = z;
  auto set = [&](float *at) { m.at = at; };
  set(xs);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + m.at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_of_a_temporary(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + row_of(xs).at[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
own_in_closure(Matrix x, Matrix z, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  xs[threadIdx.x] = 0;
  Matrix m = row_of(xs);
  auto get = [=](int at) { return m.at[at]; };
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x.at[i + threadIdx.x] + get(threadIdx.x);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
using namespace harness;

CASE(product) {
  for (int n : multiples(T)) {
    auto a = in<float>("a", 2 * T * n), b = in<float>("b", n * 2 * T),
         c = out<float>("c", 4 * T * T);
    launch({dim3(2, 2), dim3(T, T)}, product, Matrix{n, n, a},
           Matrix{2 * T, 2 * T, b}, Matrix{2 * T, 2 * T, c});
  }
}
CASE(listed) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, listed, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(assigned) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, assigned, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(chosen) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, chosen, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(nested) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, nested, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(copied) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, copied, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_member) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_member, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_by_callee) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_by_callee, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_by_reference) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_by_reference, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_by_address) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_by_address, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_of_a_union) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_of_a_union, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_of_a_copy) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_of_a_copy, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_by_closure) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_by_closure, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_of_a_temporary) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_of_a_temporary, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
CASE(own_in_closure) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T), z = in<float>("z", n + T),
         y = out<float>("y", T);
    launch({1, T}, own_in_closure, Matrix{n, n, x}, Matrix{n, n, z}, y, n);
  }
}
#endif
