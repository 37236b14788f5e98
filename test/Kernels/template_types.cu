// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types that a template's author wrote otherwise than an instance has them:
// loop variables that are pointers, iterators or `auto`, and members of classes
// that tiles are kept in.
// REQUIRES: executor
// RUN: %variants --at-least=6 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: grep -c ': remark: pipelined' %t.err | grep -x 6

template <typename It>
__global__ void iterators(It first, It last, float *__restrict__ y) {
  __shared__ float c[32];
  float sum = 0.0f;
  while (first < last) {
    c[threadIdx.x] = *(first + threadIdx.x);
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum = sum * 0.5f + c[j];
    __syncthreads();
    first += 32;
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

template <typename T>
__global__ void pointers(const T *__restrict__ x, int n, T *__restrict__ y) {
  __shared__ T c[32];
  T sum = 0;
  for (const T *p = x; p < x + n; p += 32) {
    c[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += c[j] * T(j);
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

template <typename T>
__global__ void deduced(const T *__restrict__ x, int n, T *__restrict__ y) {
  __shared__ T c[32];
  T sum = 0;
  auto from = x;
  for (auto i = 0; i < n; i += 32, from += 32) {
    c[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += c[j] * T(i + j);
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

template <int WIDTH>
__global__ void vectors(const float *__restrict__ x, int n,
                        float *__restrict__ y) {
  __shared__ float4 c[WIDTH];
  float sum = 0.0f;
  const int rows = n / 4;
  int left = rows;
  for (auto p = reinterpret_cast<const float4 *>(x); left >= WIDTH;
       p += WIDTH, left -= WIDTH) {
    c[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < WIDTH; ++j)
      sum += c[j].x * c[j].w - c[j].y + c[j].z;
    __syncthreads();
  }
  y[blockIdx.x * WIDTH + threadIdx.x] = sum;
}

struct Point {
  float x, y;
};
struct Points {
  Point all[32];
};
template <int TIMES>
__global__ void members(const Point *__restrict__ p, int n,
                        float *__restrict__ y) {
  __shared__ Points tile;
  float sum = 0.0f;
  for (int base = 0; base < n; base += 32) {
    tile.all[threadIdx.x] = p[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      sum += TIMES * tile.all[j].x - tile.all[j].y;
    __syncthreads();
  }
  y[blockIdx.x * 32 + threadIdx.x] = sum;
}

template <int N> class Product {
  const float *a, *b;
  float *c;
  int n;

public:
  struct Storage {
    float a[N][N], b[N][N];
  };
  __device__ Product(const float *a, const float *b, float *c, int n)
      : a(a), b(b), c(c), n(n) {}
  __device__ void load(Storage &s, int k) const {
    s.a[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + k + threadIdx.x];
    s.b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * N + threadIdx.x];
  }
  __device__ void run(Storage &s) {
    float sum = 0.0f;
    for (int k = 0; k < n; k += N) {
      load(s, k);
      __syncthreads();
      for (int i = 0; i < N; ++i)
        sum += s.a[threadIdx.y][i] * s.b[i][threadIdx.x];
      __syncthreads();
    }
    c[threadIdx.y * N + threadIdx.x] = sum;
  }
};
__global__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ Product<8>::Storage storage;
  Product<8> P(a, b, c, n);
  P.run(storage);
}

void run_iterators(const float *x, int n, float *y) {
  iterators<const float *><<<1, 32>>>(x, x + n, y);
}
void run_pointers(const float *x, int n, float *y) {
  pointers<float><<<1, 32>>>(x, n, y);
}
void run_pointers(const double *x, int n, double *y) {
  pointers<double><<<1, 32>>>(x, n, y);
}
void run_deduced(const float *x, int n, float *y) {
  deduced<float><<<1, 32>>>(x, n, y);
}
void run_deduced(const int *x, int n, int *y) { deduced<int><<<1, 32>>>(x, n, y); }
void run_vectors(const float *x, int n, float *y) {
  vectors<16><<<1, 16>>>(x, n, y);
}
void run_members(const Point *p, int n, float *y) {
  members<3><<<1, 32>>>(p, n, y);
}
void run_product(const float *a, const float *b, float *c, int n) {
  product<<<1, dim3(8, 8)>>>(a, b, c, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(iterators) {
  for (int n : {32, 64, 160}) {
    auto x = in<float>("x", n), y = out<float>("y", 32);
    run_iterators(x, n, y);
  }
}
CASE(pointers) {
  for (int n : {0, 32, 96}) {
    auto x = in<float>("x", n + 1), y = out<float>("y", 32);
    run_pointers(x, n, y);
    auto u = in<double>("u", n + 1), v = out<double>("v", 32);
    run_pointers(u, n, v);
  }
}
CASE(deduced) {
  for (int n : {0, 32, 96}) {
    auto x = in<float>("x", n + 1), y = out<float>("y", 32);
    run_deduced(x, n, y);
    auto u = in<int>("u", n + 1), v = out<int>("v", 32);
    run_deduced(u, n, v);
  }
}
CASE(vectors) {
  for (int n : {0, 64, 256}) {
    auto x = in<float>("x", n + 4), y = out<float>("y", 16);
    run_vectors(x, n, y);
  }
}
CASE(members) {
  for (int n : {0, 32, 96}) {
    auto p = in<float>("p", 2 * n + 2), y = out<float>("y", 32);
    run_members(p.as<Point>(), n, y);
  }
}
CASE(product) {
  for (int n : {8, 32}) {
    auto a = in<float>("a", 8 * n), b = in<float>("b", 8 * n);
    auto c = out<float>("c", 64);
    run_product(a, b, c, n);
  }
}
#endif
