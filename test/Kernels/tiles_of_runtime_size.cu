// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles whose size only the run knows, in arrays of a size that is declared: by
// cp.async they need no count, and a thread needs no more registers than the
// array has elements for it.
// REQUIRES: executor
// RUN: %variants --at-least=11 --option=--block=64 %s
// RUN: %kpipe rewrite %s --arch=sm_86 --block=64 -o %t.cu
// RUN: %code %t.cu | FileCheck %s
// RUN: %kpipe analyze %s --arch=sm_86 --block=64 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PLAN

constexpr int T = 64, Most = 5 * T / 2;

// A pure copy keeps its loop.
__global__ void __launch_bounds__(T) pure(const float *x, float *y, int n,
                                          int tile) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += blockDim.x)
      xs[i] = x[k + i];
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// PLAN: pure: pipelined
// PLAN: xs 4 cp.async
// PLAN: cp.async 2

// Values that are computed wait in as many registers as the array allows.
__global__ void __launch_bounds__(T) scaled(const float *x, float *y, int n,
                                            int tile) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T)
      xs[i] = x[k + i] * 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: scaled(
// CHECK: float xs_{{reg}}[kpipe::ceil_div(Most, T)];
// CHECK: for (int i = t, p{{art}} = 0; p{{art}} < kpipe::ceil_div(Most, T); i += T, ++p{{art}})
// CHECK-NEXT: if (i < tile)
// CHECK-NEXT: xs_{{reg}}[p{{art}}] = x[k + i] * 3;
// PLAN: scaled: pipelined
// PLAN: registers 2 3

// Rows and columns.
__global__ void __launch_bounds__(T) rows(const float *x, float *y, int n,
                                          int height, int width) {
  __shared__ float xs[4][Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    for (int r = 0; r < height; ++r)
      for (int c = t; c < width; c += T)
        xs[r][c] = x[(k * height + r) * width + c] + 1;
    __syncthreads();
    for (int r = 0; r < height; ++r)
      for (int c = 0; c < width; ++c)
        s += xs[r][c] * ((r + c) ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: rows(
// CHECK: float xs_{{reg}}[4][kpipe::ceil_div(Most, T)];

// The index counts elements of rows, in strides of the block.
__global__ void __launch_bounds__(T) flat(const float *x, float *y, int n,
                                          int height) {
  __shared__ float xs[12][32];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; ++k) {
    for (int i = t; i < height * 32; i += blockDim.x)
      xs[i / 32][i % 32] = x[k * height * 32 + i] * 2;
    __syncthreads();
    for (int r = 0; r < height; ++r)
      s += xs[r][t % 32] * (r ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: flat(
// CHECK: if (blockDim.x != 64)
// CHECK: float xs_{{reg}}[6];

// By vectors, between two bounds, and less or equal.
__global__ void __launch_bounds__(T) vectors(const float4 *x, float *y, int n,
                                             int last) {
  __shared__ float xs[4 * Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += last + 1) {
    for (int i = t; i <= last; i += T) {
      float4 v = x[k + i];
      reinterpret_cast<float4 *>(xs)[i] =
          make_float4(v.y, v.x, v.w * 2, v.z);
    }
    __syncthreads();
    for (int i = 0; i < 4 * (last + 1); ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: vectors(
// CHECK: float4 xs_{{reg}}[kpipe::ceil_div(4 * Most / 4, T)];

// Some elements are filled; the array has room for a margin.
__global__ void __launch_bounds__(T) filled(const float *x, float *y, int n,
                                            int tile, int margin) {
  __shared__ float xs[Most + 2];
  unsigned t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    for (unsigned i = t; i < tile + 2 * margin; i += T)
      if (k + i < n)
        xs[i] = x[k + i] * 2;
      else
        xs[i] = -1;
    __syncthreads();
    for (int i = 0; i < tile + 2 * margin; ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// PLAN: filled: pipelined
// PLAN: registers 2 3

// Two arrays in one loop: the longer one counts.
__global__ void __launch_bounds__(T) both(const float *x, float *y, int n,
                                          int tile) {
  __shared__ float xs[Most];
  __shared__ float ys[4 * T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T) {
      xs[i] = x[k + i] * 2;
      ys[i] = x[k + i] + 2;
    }
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      s += xs[i] * ys[tile - 1 - i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// CHECK-LABEL: both(
// CHECK: float xs_{{reg}}[kpipe::ceil_div(4 * T, T)];
// CHECK: float ys_{{reg}}[kpipe::ceil_div(4 * T, T)];

// The size is spelled by the template.
template <int Size>
__global__ void __launch_bounds__(T) by_template(const float *x, float *y, int n,
                                                 int tile) {
  __shared__ float xs[Size];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    for (int i = t; i < tile; i += T)
      xs[i] = x[k + i] * 3;
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}
template __global__ void by_template<160>(const float *, float *, int, int);
template __global__ void by_template<192>(const float *, float *, int, int);
// CHECK-LABEL: by_template(
// CHECK: float xs_{{reg}}[kpipe::ceil_div(Size, T)];

// The last tile is shorter, and read as far as it is stored.
__global__ void __launch_bounds__(T) shorter(const float *x, float *y, int n) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += Most) {
    int count = min(Most, n - k);
    for (int i = t; i < count; i += T)
      xs[i] = x[k + i];
    __syncthreads();
    for (int i = 0; i < count; ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}
// PLAN: shorter: pipelined
// PLAN: cp.async 2 0

// A helper's array is known by its reference.
__device__ void load(const float *x, float (&xs)[Most], int tile, int t) {
  for (int i = t; i < tile; i += T)
    xs[i] = x[i] * 5;
}
__global__ void __launch_bounds__(T) in_helper(const float *x, float *y, int n,
                                               int tile) {
  __shared__ float xs[Most];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += tile) {
    load(x + k, xs, tile, t);
    __syncthreads();
    for (int i = 0; i < tile; ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}

// A tile behind a width that only the run knows.
__global__ void __launch_bounds__(T) guarded(const float *x, float *y, int n,
                                             int width) {
  __shared__ float xs[T];
  int t = threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += width) {
    if (t < width)
      xs[t] = x[k + t] * 2;
    __syncthreads();
    for (int i = 0; i < width; ++i)
      s += xs[i] * (i ^ t);
    __syncthreads();
  }
  y[t] = s;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(tiles) {
  for (int tile : {1, 40, 64, 100, 160}) {
    for (int n : multiples(tile)) {
      auto x = in<float>("x", n + 2 * Most);
      dim3 one(1), block(T);
      auto a = out<float>("a", T), b = out<float>("b", T), c = out<float>("c", T),
           d = out<float>("d", T), e = out<float>("e", T), f = out<float>("f", T),
           g = out<float>("g", T), h = out<float>("h", T), i = out<float>("i", T),
           j = out<float>("j", T);
      launch({one, block}, pure, x, a, n, tile);
      launch({one, block}, scaled, x, b, n, tile);
      launch({one, block}, filled, x, c, n, tile, tile == 160 ? 0 : 1);
      launch({one, block}, both, x, d, n, tile);
      launch({one, block}, by_template<160>, x, e, n, tile);
      launch({one, block}, by_template<192>, x, f, n, tile);
      launch({one, block}, shorter, x, g, n);
      launch({one, block}, in_helper, x, h, n, tile);
      launch({one, block}, guarded, x, i, n, tile < T ? tile : T);
    }
    for (int n : multiples(1)) {
      auto x = in<float>("x", 12 * 160 * (n + 1));
      dim3 one(1), block(T);
      auto a = out<float>("a", T), b = out<float>("b", T), c = out<float>("c", T);
      launch({one, block}, rows, x, a, n, tile % 4 + 1, tile);
      launch({one, block}, flat, x, b, n, tile % 12 + 1);
      launch({one, block}, vectors, x.as<float4>(), c, n * tile, tile - 1);
    }
  }
}
#endif
