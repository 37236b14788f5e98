// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of long rows, copied by elements of all kinds, that the copy engine
// brings with --copies=bulk. Each runs with rows that are aligned, and with rows
// and matrices that are not: then threads copy.
// REQUIRES: executor
// RUN: %variants --arch=sm_90 --at-least=16 --legal=. --option=--copies=bulk \
// RUN:   --option=--allow-occupancy-drop --stages=2 \
// RUN:   --schedules=specialized %s
// RUN: %kpipe rewrite %s --arch=sm_90 --copies=bulk --allow-occupancy-drop \
// RUN:   -o %t.cu 2> %t.err
// RUN: FileCheck --check-prefix=SAID %s --input-file=%t.err
// RUN: %code %t.cu | FileCheck %s
// RUN: not grep -E 'does not bring' %t.err

#include <cuda_fp16.h>

constexpr int T = 64, R = 4, C = 128;

// A matrix and a vector, element by element.
__global__ void __launch_bounds__(T)
    matvec(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float As[R][C];
  __shared__ float xs[C];
  const int tid = threadIdx.x;
  A += size_t(blockIdx.x) * R * n;
  float sum = 0;
  for (int c0 = 0; c0 < n / C * C; c0 += C) {
    for (int i = tid; i < R * C; i += T)
      As[i / C][i % C] = A[i / C * n + c0 + i % C];
    for (int i = tid; i < C; i += T)
      xs[i] = x[c0 + i];
    __syncthreads();
    for (int c = tid % 16; c < C; c += 16)
      sum += As[tid / 16][c] * xs[c];
    __syncthreads();
  }
  y[blockIdx.x * T + tid] = sum;
}
// SAID: remark: pipelined K-loop: 4 stages of As, xs, copy engine
// SAID: note: the copy engine brings the rows of As, xs
// CHECK-LABEL: {{^ *(__global__ .* )?}}matvec(
// CHECK: const bool [[OK:aligned[_0-9]*]] =
// CHECK: (size_t)A % 16 == 0 && (size_t)x % 16 == 0 && n % 4 == 0;
// CHECK: kpipe::expect_tile([[FULL:full[_0-9]*]], 2560);
// CHECK-NEXT: kpipe::load_row(As[0][0], &A[c0], 512, [[FULL]]);
// CHECK-NEXT: kpipe::load_row(As[1][0], &A[1LL * n + c0], 512, [[FULL]]);
// CHECK: kpipe::load_row(xs[0], &x[c0], 512, [[FULL]]);
// CHECK: if (![[OK]]) {
// CHECK: As[i / C][i % C] = A[i / C * n + c0 + i % C];
// CHECK: __syncthreads();
// CHECK: kpipe::wait_full(

// What is copied by 16 bytes is aligned: nothing is asked.
__global__ void __launch_bounds__(T) bodies(const float4 *p, float4 *out) {
  __shared__ float4 tile[T];
  const float4 me = p[threadIdx.x];
  float4 sum = {};
  for (int t = 0; t < gridDim.x; ++t) {
    tile[threadIdx.x] = p[t * T + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      sum.x += tile[j].x * me.y;
      sum.y = sum.y * 0.5f + tile[j].w;
    }
    __syncthreads();
  }
  out[blockIdx.x * T + threadIdx.x] = sum;
}
// CHECK-LABEL: {{^ *(__global__ .* )?}}bodies(
// CHECK: kpipe::load_row(tile[0], &p[(unsigned)(64LL * t)], 1024,
// CHECK-NOT: tile[threadIdx.x] =
// CHECK: kpipe::wait_full(

// Rows that follow each other are one.
__global__ void __launch_bounds__(T) keys(const float *K, const float *V, float *o, int length) {
  __shared__ float Ks[8][64], Vs[8][64];
  const int head = blockIdx.x * length * 64;
  float sum = 0;
  for (int k = 0; k < length; k += 8) {
    for (int i = threadIdx.x; i < 8 * 64; i += T) {
      Ks[i / 64][i % 64] = K[head + (k + i / 64) * 64 + i % 64];
      Vs[i / 64][i % 64] = V[head + (k + i / 64) * 64 + i % 64];
    }
    __syncthreads();
    for (int i = 0; i < 8; ++i)
      sum = sum * 0.5f + Ks[i][threadIdx.x] * Vs[7 - i][63 - threadIdx.x];
    __syncthreads();
  }
  o[blockIdx.x * T + threadIdx.x] = sum;
}
// CHECK-LABEL: {{^ *(__global__ .* )?}}keys(
// CHECK: kpipe::expect_tile([[FULL2:full[_0-9]*]], 4096);
// CHECK-NEXT: kpipe::load_row(Ks[0][0], &K[64LL * k + head], 2048,

// Two bytes.
__global__ void __launch_bounds__(T) halves(const half *A, float *y, int pitch, int n) {
  __shared__ half As[2][256];
  float sum = 0;
  for (int c0 = 0; c0 + 256 <= n; c0 += 256) {
    for (int i = threadIdx.x; i < 512; i += T)
      As[i / 256][i % 256] = A[(blockIdx.x * 2 + i / 256) * pitch + c0 + i % 256];
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += T)
      sum = sum * 0.5f + __half2float(As[0][i]) - __half2float(As[1][255 - i]);
    __syncthreads();
  }
  y[blockIdx.x * T + threadIdx.x] = sum;
}

// One byte, one row.
__global__ void __launch_bounds__(T) bytes(const signed char *q, int *y, int n) {
  __shared__ signed char qs[512];
  int sum = 0;
  for (int k = 0; k < n / 512; ++k) {
    for (int i = threadIdx.x; i < 512; i += T)
      qs[i] = q[k * 512 + i];
    __syncthreads();
    for (int i = 0; i < 512; ++i)
      sum = sum * 3 + qs[(i + threadIdx.x) % 512];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Eight bytes; the loop does not count from 0.
__global__ void __launch_bounds__(T) doubles(const double *A, double *y, int to) {
  __shared__ double As[2][T];
  double sum = 0;
  for (int k = 2 * T; k < to; k += 2 * T) {
    As[0][threadIdx.x] = A[k + threadIdx.x];
    As[1][threadIdx.x] = A[k + T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum = sum * 0.5 + As[0][i] * As[1][(i + threadIdx.x) % T];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Nested loops, a pragma above them.
__global__ void __launch_bounds__(T) nested(const int *A, int *y, int n, int ld) {
  __shared__ int As[R][C];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int sum = 0;
  for (int c0 = 0; c0 < n; c0 += C) {
#pragma unroll 2
    for (int r = warp; r < R; r += 2)
      for (int c = lane; c < C; c += 32)
        As[r][c] = A[r * ld + c0 + c];
    __syncthreads();
    for (int i = 0; i < C; ++i)
      sum = sum * 3 + As[threadIdx.x % R][i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pointer of the header, and one that was made in front.
__global__ void __launch_bounds__(T) stepping(const float *A, const float *b, float *y, int n) {
  __shared__ float As[2][C], bs[C];
  const float *row = A + blockIdx.x * 2 * n;
  float sum = 0;
  for (int t = 0; t < n / C; ++t, b += C) {
    for (int i = threadIdx.x; i < 2 * C; i += T)
      As[i / C][i % C] = row[i / C * n + t * C + i % C];
    for (int i = threadIdx.x; i < C; i += T)
      bs[i] = b[i];
    __syncthreads();
    for (int i = 0; i < C; ++i)
      sum = sum * 0.5f + As[threadIdx.x % 2][i] * bs[(i + threadIdx.x) % C];
    __syncthreads();
  }
  y[blockIdx.x * T + threadIdx.x] = sum;
}

// A block of two axes.
__global__ void two_axes(const float *A, float *y, int n) {
  __shared__ float As[8][C];
  const int x = threadIdx.x, r = threadIdx.y;
  float sum = 0;
  for (int c0 = 0; c0 < n / C * C; c0 += C) {
    for (int c = x; c < C; c += 16)
      As[r][c] = A[(blockIdx.x * 8 + r) * n + c0 + c];
    __syncthreads();
    for (int c = x; c < C; c += 16)
      sum = sum * 0.5f + As[7 - r][c];
    __syncthreads();
  }
  y[blockIdx.x * 128 + r * 16 + x] = sum;
}
// CHECK-LABEL: {{^ *(__global__ .* )?}}two_axes(
// CHECK: threadIdx.x == 0 && threadIdx.y == 0

// A template of types and sizes.
template <typename E, int Width>
__global__ void __launch_bounds__(T) typed(const E *A, E *y, int n) {
  __shared__ E As[Width];
  E sum = 0;
  for (int k = 0; k < n; k += Width) {
    for (int i = threadIdx.x; i < Width; i += T)
      As[i] = A[k + i];
    __syncthreads();
    for (int i = 0; i < Width; ++i)
      sum = sum * 3 + As[(i + threadIdx.x) % Width];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Rows with padding behind them, by vectors.
__global__ void __launch_bounds__(T) padded(const float *A, float *y, int n) {
  __shared__ __align__(16) float As[R][C + 4];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += C) {
    for (int i = threadIdx.x; i < R * C / 4; i += T)
      *(float4 *)&As[i / 32][i % 32 * 4] = *(const float4 *)&A[i / 32 * n + c0 + i % 32 * 4];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[threadIdx.x % R][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// 64 bits; the last row first.
__global__ void __launch_bounds__(T) backwards(const float *A, float *y, long long n) {
  __shared__ float As[R][C];
  float sum = 0;
  for (long long c0 = 0; c0 < n; c0 += C) {
    for (int i = threadIdx.x; i < R * C; i += T)
      As[i / C][i % C] = A[(R - 1 - i / C) * n + c0 + i % C];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[threadIdx.x % R][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Elements of twelve bytes, read-only loads.
struct Point {
  float x, y, z;
};
__global__ void __launch_bounds__(T) points(const Point *p, const float *w, float *y, int n) {
  __shared__ Point ps[T];
  __shared__ float ws[2 * T];
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    const int first = t * T;
    ps[threadIdx.x] = p[first + threadIdx.x];
    ws[threadIdx.x] = __ldg(&w[2 * first + threadIdx.x]);
    ws[T + threadIdx.x] = __ldg(&w[2 * first + T + threadIdx.x]);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum = sum * 0.5f + ps[i].x * ws[i] + ps[(i + threadIdx.x) % T].z * ws[T + i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Three dimensions; rows of one constant length, which is aligned.
constexpr int Pitch = 160;
__global__ void __launch_bounds__(T) slabs(const float *A, float *y, int n) {
  __shared__ float As[2][2][C];
  float sum = 0;
  for (int k = 0; k < n; k += 2) {
    for (int s = 0; s < 2; ++s)
      for (int i = threadIdx.x; i < 2 * C; i += T)
        As[s][i / C][i % C] = A[(k * 2 + s * 2 + i / C) * Pitch + i % C];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[threadIdx.x % 2][threadIdx.x / 2 % 2][c];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A tile that is used by vectors, and whose threads ask for aligned vectors.
__global__ void __launch_bounds__(T) vectors(const float *A, const float *b, float *y, int n) {
  __shared__ float4 As[R][C / 4];
  __shared__ float bs[C];
  float sum = 0;
  for (int c0 = 0; c0 < n; c0 += C) {
    for (int i = threadIdx.x; i < R * C / 4; i += T)
      As[i / 32][i % 32] = reinterpret_cast<const float4 *>(A + i / 32 * n + c0)[i % 32];
    for (int i = threadIdx.x; i < C; i += T)
      bs[i] = b[c0 + i];
    __syncthreads();
    for (int c = 0; c < C / 4; ++c)
      sum = sum * 0.5f + As[threadIdx.x % R][c].y * bs[c * 4 + threadIdx.x % 4];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Assigned in the declaration in front; unsigned lengths.
__global__ void __launch_bounds__(T) counted(const float *A, float *y, unsigned n) {
  __shared__ float As[C];
  float sum = 0;
  const unsigned tiles = n / C;
  for (unsigned t = 0; t < tiles; t++) {
    const float *from = A + t * C;
    for (unsigned i = threadIdx.x; i < C; i += T)
      As[i] = from[i];
    __syncthreads();
    for (int c = 0; c < C; ++c)
      sum = sum * 0.5f + As[(c + threadIdx.x) % C];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void run_matvec(const float *A, const float *x, float *y, int n) { matvec<<<2, T>>>(A, x, y, n); }
void run_bodies(const float4 *p, float4 *out, int n) { bodies<<<n, T>>>(p, out); }
void run_keys(const float *K, const float *V, float *o, int n) { keys<<<2, T>>>(K, V, o, n); }
void run_halves(const half *A, float *y, int ld, int n) { halves<<<2, T>>>(A, y, ld, n); }
void run_bytes(const signed char *q, int *y, int n) { bytes<<<1, T>>>(q, y, n); }
void run_doubles(const double *A, double *y, int to) { doubles<<<1, T>>>(A, y, to); }
void run_nested(const int *A, int *y, int n, int ld) { nested<<<1, T>>>(A, y, n, ld); }
void run_stepping(const float *A, const float *b, float *y, int n) {
  stepping<<<2, T>>>(A, b, y, n);
}
void run_two_axes(const float *A, float *y, int n) { two_axes<<<2, dim3(16, 8)>>>(A, y, n); }
void run_typed(const int *A, int *y, int n) { typed<int, 256><<<1, T>>>(A, y, n); }
void run_padded(const float *A, float *y, int n) { padded<<<1, T>>>(A, y, n); }
void run_backwards(const float *A, float *y, long long n) { backwards<<<1, T>>>(A, y, n); }
void run_points(const Point *p, const float *w, float *y, int n) { points<<<1, T>>>(p, w, y, n); }
void run_slabs(const float *A, float *y, int n) { slabs<<<1, T>>>(A, y, n); }
void run_vectors(const float *A, const float *b, float *y, int n) { vectors<<<1, T>>>(A, b, y, n); }
void run_counted(const float *A, float *y, unsigned n) { counted<<<1, T>>>(A, y, n); }

#ifdef KPIPE_HARNESS
#include "harness.h"
/// Further on, where rows are no longer aligned.
template <typename E> const E *from(const harness::Buffer<E> &b, int at) {
  return static_cast<E *>(b) + at;
}
CASE(rows_matvec) {
  for (int k : multiples(C))
    for (int more : {0, 1, 2, 4})
      for (int at : {0, 1}) {
        auto a = in<float>("A", 8 * (k + more) + 4), x = in<float>("x", k + 8);
        auto y = out<float>("y", 2 * T);
        run_matvec(from(a, at), from(x, 4 * at), y, k + more);
      }
}
CASE(rows_bodies) {
  for (int k : multiples(1)) {
    if (k == 0)
      continue;
    auto p = in<float>("p", 4 * T * k);
    auto o = out<float>("o", 4 * T * k);
    run_bodies(reinterpret_cast<const float4 *>(from(p, 0)), (float4 *)from(o, 0), k);
  }
}
CASE(rows_keys) {
  for (int k : multiples(8))
    for (int at : {0, 3, 4}) {
      auto a = in<float>("K", 2 * k * 64 + 8), b = in<float>("V", 2 * k * 64 + 8);
      auto o = out<float>("o", 2 * T);
      run_keys(from(a, at), b, o, k);
    }
}
CASE(rows_halves) {
  for (int k : multiples(256))
    for (int more : {0, 1, 4, 8}) {
      auto a = in<half>("A", 4 * (k + more) + 8);
      auto y = out<float>("y", 2 * T);
      run_halves(a, y, k + more, k + more);
    }
}
CASE(rows_bytes) {
  for (int k : multiples(512))
    for (int at : {0, 1, 16}) {
      auto q = in<signed char>("q", k + 16);
      auto y = out<int>("y", T);
      run_bytes(from(q, at), y, k);
    }
}
CASE(rows_doubles) {
  for (int k : multiples(2 * T))
    for (int at : {0, 1, 2}) {
      auto a = in<double>("A", k + 2 * T + 2);
      auto y = out<double>("y", T);
      run_doubles(from(a, at), y, k + 2 * T);
    }
}
CASE(rows_nested) {
  for (int k : multiples(C))
    for (int more : {0, 1, 4}) {
      auto a = in<int>("A", 4 * (k + more));
      auto y = out<int>("y", T);
      run_nested(a, y, k, k + more);
    }
}
CASE(rows_stepping) {
  for (int k : multiples(C))
    for (int more : {0, 3}) {
      auto a = in<float>("A", 4 * (k + more)), b = in<float>("b", k + 4);
      auto y = out<float>("y", 2 * T);
      run_stepping(a, from(b, more), y, k + more);
    }
}
CASE(rows_two_axes) {
  for (int k : multiples(C))
    for (int more : {0, 1}) {
      auto a = in<float>("A", 16 * (k + more));
      auto y = out<float>("y", 256);
      run_two_axes(a, y, k + more);
    }
}
CASE(rows_typed) {
  for (int k : multiples(256))
    for (int at : {0, 2}) {
      auto a = in<int>("A", k + 4);
      auto y = out<int>("y", T);
      run_typed(from(a, at), y, k);
    }
}
CASE(rows_padded) {
  for (int k : multiples(C)) {
    auto a = in<float>("A", 4 * k);
    auto y = out<float>("y", T);
    run_padded(a, y, k);
  }
}
CASE(rows_backwards) {
  for (int k : multiples(C)) {
    auto a = in<float>("A", 4 * k + 4);
    auto y = out<float>("y", T);
    run_backwards(a, y, k);
    auto z = out<float>("z", T);
    run_backwards(from(a, 1), z, k);
  }
}
CASE(rows_points) {
  for (int k : multiples(1))
    for (int at : {0, 1}) {
      auto p = in<float>("p", 3 * T * k + 3);
      auto w = in<float>("w", 2 * T * k);
      auto y = out<float>("y", T);
      run_points((const Point *)from(p, 3 * at), w, y, k);
    }
}
CASE(rows_slabs) {
  for (int k : multiples(2))
    for (int at : {0, 1}) {
      auto a = in<float>("A", 2 * k * Pitch + 1);
      auto y = out<float>("y", T);
      run_slabs(from(a, at), y, k);
    }
}
CASE(rows_vectors) {
  for (int k : multiples(C))
    for (int at : {0, 1}) {
      auto a = in<float>("A", 4 * k), b = in<float>("b", k + 1);
      auto y = out<float>("y", T);
      run_vectors(a, from(b, at), y, k);
    }
}
CASE(rows_counted) {
  for (int k : multiples(C))
    for (int at : {0, 1}) {
      auto a = in<float>("A", k + 1);
      auto y = out<float>("y", T);
      run_counted(from(a, at), y, k);
    }
}
#endif
