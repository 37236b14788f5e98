// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways in which people carve tiles out of a static shared array before the
// loop: the array has stages as a whole, and each name means its part of one.
// REQUIRES: executor
// RUN: %variants --at-least=7 %s
//
// RUN: mkdir -p %t && echo '{DisableFormat: true, ColumnLimit: 0}' > %t/.clang-format
// RUN: cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>err | FileCheck %s
// RUN: FileCheck %s --check-prefix=SAID --input-file=err --implicit-check-not="single buffer"
// SAID: remark: pipelined K-loop: 2 stages of block

#include <cuda_fp16.h>

constexpr int T = 16;

// Two pointers into one array, one declaration.
__global__ void __launch_bounds__(64)
halves(const float *__restrict__ x, float *__restrict__ y, int n) {
  // CHECK: {{^}}  __shared__ __align__(16) float block_{{stages}}[2][128];
  // CHECK-NEXT: {{^}}  auto &block = block_{{stages}}[0];
  // CHECK-NEXT: {{^}}  float *xs = block, *zs = block + 64;
  __shared__ __align__(16) float block[128];
  float *xs = block, *zs = block + 64;
  int t = threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; k += 64) {
    // CHECK: {{^}}      auto *xs = kpipe::advance_bytes(xs_{{stages}}, s{{tage}} * sizeof(block_{{stages}}[0]));
    xs[t] = x[k + t];
    zs[t] = x[k + 63 - t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * zs[(j + t) % 64];
    __syncthreads();
  }
  y[t] = s;
}

// Rows of halves in bytes, a row longer than the tile; the array itself is named
// as well, across the end of a view.
__global__ void __launch_bounds__(T *T)
rows(const __half *__restrict__ A, const __half *__restrict__ B, float *C,
     int K) {
  __shared__ __align__(16) unsigned char smem[2 * T * (T + 2) * sizeof(__half)];
  auto As = reinterpret_cast<__half (*)[T + 2]>(smem);
  auto Bs = As + T;
  int tx = threadIdx.x % T, ty = threadIdx.x / T;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[ty * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * T + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += __half2float(As[ty][k]) *
             __half2float(((const __half *)smem)[(T + k) * (T + 2) + tx]);
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

// References to arrays in an array, two arrays of one declaration.
template <int BK>
__global__ void __launch_bounds__(T *T)
references(const float *A, const float *B, float *C, int K) {
  __shared__ float a[T * BK], b[BK * T];
  float (&As)[T][BK] = *reinterpret_cast<float (*)[T][BK]>(a);
  float (&Bs)[BK][T] = *reinterpret_cast<float (*)[BK][T]>(&b[0]);
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (tx < BK)
      As[ty][tx] = A[ty * K + k0 + tx];
    if (ty < BK)
      Bs[ty][tx] = B[(k0 + ty) * T + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

template __global__ void references<8>(const float *, const float *, float *,
                                       int);

// Members of one struct.
struct Pair {
  float4 a[64];
  float b[64];
};
__global__ void __launch_bounds__(64)
members(const float4 *__restrict__ a, const float *__restrict__ b, float *y,
        int n) {
  __shared__ Pair tiles;
  float4 *as = tiles.a;
  auto &bs = tiles.b;
  int id = threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < n; i += 64) {
    as[id] = a[i + id];
    bs[id] = b[i + id];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += as[j].y * bs[(j + id) % 64];
    __syncthreads();
  }
  y[id] = sum;
}

// The tile is scratch of what follows, under its old names and new ones; and the
// last tile is read there.
__global__ void __launch_bounds__(64)
after(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[128];
  float *const xs = &block[0];
  const float *zs = xs + 64;
  int t = threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; k += 128) {
    xs[t] = x[k + t];
    xs[64 + t] = x[k + 64 + t] + 1.0f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      s += xs[j] * zs[63 - j];
    __syncthreads();
  }
  // CHECK: {{^}}  float last = n > 0 ? kpipe::advance_bytes(zs, s{{tage}} * sizeof(block_{{stages}}[0]))[63 - t] : 0.0f;
  float last = n > 0 ? zs[63 - t] : 0.0f;
  __syncthreads();
  // CHECK: {{^}}  float *sums = block_{{stages}}[s{{tage}}] + 32;
  float *sums = block + 32;
  sums[t] = s;
  __syncthreads();
  y[t] = last + sums[t ^ 5];
}

// Entered again, each thread at its own place, filled by a helper.
__device__ void fill(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x];
}
__global__ void __launch_bounds__(64)
again(const float *__restrict__ x, float *__restrict__ y, int rows, int n) {
  __shared__ float block[2][64];
  float *first = block[0], *mine = &block[1][threadIdx.x];
  const float *other = block[1];
  for (int r = 0; r < rows; ++r) {
    float s = 0.0f;
    for (int k = 0; k < n; k += 64) {
      fill(first, x + r * n + k);
      *mine = x[r * n + k + threadIdx.x] * 0.5f;
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        s += first[j] * other[(j + threadIdx.x) % 64];
      __syncthreads();
    }
    y[r * 64 + threadIdx.x] = s;
  }
}

// An accumulating closure that names the view.
__global__ void __launch_bounds__(64)
closure(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float block[64];
  const float *read = block;
  int t = threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < n; k += 64) {
    block[t] = x[k + t];
    __syncthreads();
    auto add = [=](int j) { return read[j] - read[t]; };
    for (int j = 0; j < 64; ++j)
      s += add(j) * float(j);
    __syncthreads();
  }
  y[t] = s;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(halves) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, halves, x, y, n);
  }
}
CASE(rows) {
  for (int k : multiples(T)) {
    auto a = in<__half>("A", T * k), b = in<__half>("B", k * T);
    auto c = out<float>("C", T * T);
    launch({1, T * T}, rows, a, b, c, k);
  }
}
CASE(references) {
  for (int k : multiples(8)) {
    auto a = in<float>("A", T * k), b = in<float>("B", k * T);
    auto c = out<float>("C", T * T);
    launch({1, dim3(T, T)}, references<8>, a, b, c, k);
  }
}
CASE(members) {
  for (int n : multiples(64)) {
    auto a = in<float>("a", 4 * n), b = in<float>("b", n);
    auto y = out<float>("y", 64);
    launch({1, 64}, members, a.as<float4>(), b, y, n);
  }
}
CASE(after) {
  for (int n : multiples(128)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, after, x, y, n);
  }
}
CASE(again) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", 3 * n), y = out<float>("y", 3 * 64);
    launch({1, 64}, again, x, y, 3, n);
  }
}
CASE(closure) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, closure, x, y, n);
  }
}
#endif
