// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in one structure that a function with the loop is given, by reference or
// by its address; and a class of a class template that names it.
// REQUIRES: executor
// RUN: %variants --at-least=4 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 4

struct Tiles {
  float a[8][8];
  float b[8][9];
};

__device__ float by_reference(Tiles &s, const float *__restrict__ a,
                              const float *__restrict__ b, int n) {
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 8) {
    s.a[y][x] = a[y * n + k + x];
    s.b[y][x] = b[(k + y) * 8 + x];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      sum += s.a[y][i] * s.b[i][x];
    __syncthreads();
  }
  return sum;
}
__global__ void plain(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ c, int n) {
  __shared__ Tiles tiles;
  c[threadIdx.y * 8 + threadIdx.x] = by_reference(tiles, a, b, n);
}
// Another kernel with a structure of its own.
__global__ void twice(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ c, int n) {
  __shared__ Tiles mine;
  c[threadIdx.y * 8 + threadIdx.x] = 2.0f * by_reference(mine, a, b, n);
}

__device__ void by_address(Tiles *s, const float *__restrict__ a,
                           const float *__restrict__ b, float *__restrict__ c,
                           int n) {
  const int x = threadIdx.x, y = threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < n; k += 8) {
    s->a[y][x] = a[y * n + k + x];
    s->b[x][y] = b[(k + y) * 8 + x];
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      sum += s->a[y][i] * s->b[x][i];
    __syncthreads();
  }
  c[y * 8 + x] = sum;
}
__global__ void address(const float *__restrict__ a,
                        const float *__restrict__ b, float *__restrict__ c,
                        int n) {
  __shared__ Tiles tiles;
  by_address(&tiles, a, b, c, n);
}

template <int N> class Product {
  const float *a, *b;
  int n;

public:
  struct Storage {
    float a[N][N], b[N][N];
  };
  __device__ Product(const float *a, const float *b, int n)
      : a(a), b(b), n(n) {}
  __device__ void load(Storage &s, int k) const {
    s.a[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + k + threadIdx.x];
    s.b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * N + threadIdx.x];
  }
  __device__ float run(Storage &s) {
    float sum = 0.0f;
    for (int k = 0; k < n; k += N) {
      load(s, k);
      __syncthreads();
      for (int i = 0; i < N; ++i)
        sum += s.a[threadIdx.y][i] * s.b[i][threadIdx.x];
      __syncthreads();
    }
    return sum;
  }
};
__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ Product<8>::Storage storage;
  c[threadIdx.y * 8 + threadIdx.x] = Product<8>(a, b, n).run(storage);
}

// In its own kernel, named by a parameter of the template.
template <int N> struct OfSize {
  struct Type {
    float v[N];
  };
};
template <int N>
__global__ void nested(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ typename OfSize<N>::Type tile;
  float sum = 0.0f;
  for (int t = 0; t < n; t += N) {
    tile.v[threadIdx.x] = x[t + threadIdx.x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j)
      sum = sum * 0.5f + tile.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void run_plain(const float *a, const float *b, float *c, int n) {
  plain<<<1, dim3(8, 8)>>>(a, b, c, n);
}
void run_twice(const float *a, const float *b, float *c, int n) {
  twice<<<1, dim3(8, 8)>>>(a, b, c, n);
}
void run_address(const float *a, const float *b, float *c, int n) {
  address<<<1, dim3(8, 8)>>>(a, b, c, n);
}
void run_product(const float *a, const float *b, float *c, int n) {
  product<<<1, dim3(8, 8)>>>(a, b, c, n);
}
void run_nested(const float *x, float *y, int n) {
  nested<32><<<1, 32>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <typename Run> void each(Run run) {
  for (int n : {8, 32}) {
    auto a = in<float>("a", 8 * n), b = in<float>("b", 8 * n);
    auto c = out<float>("c", 64);
    run(a, b, c, n);
  }
}
CASE(plain) { each(run_plain); }
CASE(twice) { each(run_twice); }
CASE(address) { each(run_address); }
CASE(product) { each(run_product); }
CASE(nested) {
  for (int n : {0, 32, 96}) {
    auto x = in<float>("x", n + 1), y = out<float>("y", 32);
    run_nested(x, y, n);
  }
}
#endif
