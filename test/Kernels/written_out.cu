// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies that are not in the loop's text: closures, member functions of the tile
// and macros are read with their text in the place of the call; `a = b = 0` is
// two stores; an `if constexpr` that decides what is stored is an `if`.
// REQUIRES: executor
// RUN: %variants --at-least=17 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: not grep 'not pipelined' %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 17
//
// RUN: mkdir -p %t && cp %s %t/a.cu && cd %t && %kpipe rewrite a.cu --arch=sm_86 2>/dev/null | %code | FileCheck %s

constexpr int T = 16;

// The closures go, with their names.
__global__ void __launch_bounds__(T *T)
closures(const float *__restrict__ A, const float *__restrict__ B,
         float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  // CHECK-NOT: auto load = [&]
  // CHECK: int [[K:k_+]] = k;
  // CHECK: As_{{reg}} = A[ty * K + [[K]] + tx];
  auto load = [&](int k) {
    As[ty][tx] = A[ty * K + k + tx];
    Bs[ty][tx] = B[(k + ty) * T + tx];
  };
  auto compute = [&] {
#pragma unroll
    for (int i = 0; i < T; ++i)
      sum += As[ty][i] * Bs[i][tx];
  };
  for (int k = 0; k < K; k += T) {
    load(k);
    __syncthreads();
    compute();
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

// By copy, what does not change; a condition and a loop of its own.
__global__ void __launch_bounds__(T *T / 4)
by_copy(const float *__restrict__ A, const float *__restrict__ B,
        float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum[4] = {};
  auto load = [=](int k, bool valid) {
    for (int r = ty; r < T; r += 4) {
      As[r][tx] = valid ? A[r * K + k + tx] : 0.0f;
      Bs[r][tx] = valid ? B[(k + r) * T + tx] : 0.0f;
    }
  };
  for (int k = 0; k < K; k += T) {
    load(k, k + tx >= 0);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      for (int r = 0; r < 4; ++r)
        sum[r] += As[ty + 4 * r][i] * Bs[i][tx];
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    C[(ty + 4 * r) * T + tx] = sum[r];
}

// One closure for both tiles.
__global__ void __launch_bounds__(T *T)
by_reference(const float *__restrict__ A, const float *__restrict__ B,
             float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  float sum = 0;
  auto copy = [&](float (&to)[T][T], const float *from, int ld) {
    to[threadIdx.y][threadIdx.x] = from[threadIdx.y * ld + threadIdx.x];
  };
  for (int k = 0; k < K; k += T) {
    if (threadIdx.x < T)
      copy(As, A + k, K);
    copy(Bs, B + k * T, T);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += As[threadIdx.y][i] * Bs[i][threadIdx.x];
    __syncthreads();
  }
  C[threadIdx.y * T + threadIdx.x] = sum;
}

// Member functions of the tile.
template <int Rows, int Columns> struct Tile {
  float data[Rows][Columns];
  __device__ void store(int r, int c, float v) { data[r][c] = v; }
  __device__ float get(int r, int c) const { return data[r][c]; }
  __device__ void load(const float *__restrict__ from, int ld) {
    for (int r = threadIdx.y; r < Rows; r += 4)
      this->data[r][threadIdx.x] = from[r * ld + threadIdx.x];
  }
};
__global__ void __launch_bounds__(T *T)
stored(const float *__restrict__ A, const float *__restrict__ B,
       float *__restrict__ C, int K) {
  __shared__ Tile<T, T> As;
  __shared__ Tile<T, T + 1> Bs;
  int r = threadIdx.y, c = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    As.store(r, c, A[r * K + k + c]);
    Bs.store(r, c, B[(k + r) * T + c]);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += As.get(r, i) * Bs.get(i, c);
    __syncthreads();
  }
  C[r * T + c] = sum;
}
__global__ void __launch_bounds__(T * 4)
loaded(const float *__restrict__ A, const float *__restrict__ B,
       float *__restrict__ C, int K) {
  __shared__ struct {
    Tile<T, T> a, b;
  } tiles;
  float sum[4] = {};
  for (int k = 0; k < K; k += T) {
    tiles.a.load(A + k, K);
    tiles.b.load(B + k * T, T);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      for (int r = 0; r < 4; ++r)
        sum[r] += tiles.a.get(threadIdx.y + 4 * r, i) *
                  tiles.b.get(i, threadIdx.x);
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r)
    C[(threadIdx.y + 4 * r) * T + threadIdx.x] = sum[r];
}
struct Bodies {
  float x[64], y[64], m[64];
  __device__ void put(int i, float4 body) {
    x[i] = body.x;
    y[i] = body.y;
    m[i] = body.w;
  }
};
__global__ void __launch_bounds__(64)
bodies(const float4 *__restrict__ p, float *__restrict__ f, int n) {
  __shared__ Bodies near;
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    near.put(threadIdx.x, p[t + threadIdx.x]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += near.m[j] * (near.x[j] - near.y[(j + threadIdx.x) % 64]);
    __syncthreads();
  }
  f[threadIdx.x] = sum;
}

// Macros: a statement, statements of another macro, all of the body.
#define LOAD_TILE(to, from, ld) to[ty][tx] = (from)[ty * (ld) + tx]
#define LOAD_BOTH(k)                                                           \
  do {                                                                         \
    LOAD_TILE(As, A + (k), K);                                                 \
    LOAD_TILE(Bs, B + (k) * T, T);                                             \
  } while (0)
#define COPY(to, from, count)                                                  \
  {                                                                            \
    _Pragma("unroll") for (int i_ = threadIdx.x; i_ < (count); i_ += 64)       \
        (to)[i_] = (from)[i_];                                                 \
  }
#define STEP(k)                                                                \
  {                                                                            \
    LOAD_BOTH(k);                                                              \
    __syncthreads();                                                           \
    for (int i = 0; i < T; ++i)                                                \
      sum += As[ty][i] * Bs[i][tx];                                            \
    __syncthreads();                                                           \
  }
__global__ void __launch_bounds__(T *T)
macros(const float *__restrict__ A, const float *__restrict__ B,
       float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  // CHECK: As_{{reg}} = (A + k)[ty * K + tx];
  for (int k = 0; k < K; k += T) {
    LOAD_TILE(As, A + k, K);
    LOAD_TILE(Bs, B + k * T, T);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}
__global__ void __launch_bounds__(T *T)
nested_macros(const float *__restrict__ A, const float *__restrict__ B,
              float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    LOAD_BOTH(k);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}
__global__ void __launch_bounds__(T *T)
macro_body(const float *__restrict__ A, const float *__restrict__ B,
           float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k += T)
    STEP(k)
  C[ty * T + tx] = sum;
}
__global__ void __launch_bounds__(64)
macro_loop(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[128];
  float sum = 0;
  for (int t = 0; t < n; t += 128) {
    COPY(xs, x + t, 128)
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Chains: in the other arm, in front of all, and of three.
__global__ void __launch_bounds__(T *T)
other_arm(const float *__restrict__ A, const float *__restrict__ B,
          float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    if (k + tx < K && k + ty < K) {
      As[ty][tx] = A[ty * K + k + tx];
      Bs[ty][tx] = B[(k + ty) * T + tx];
    } else
      As[ty][tx] = Bs[ty][tx] = 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}
__global__ void __launch_bounds__(T *T)
filled_before(const float *__restrict__ A, const float *__restrict__ B,
              float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    As[ty][tx] = Bs[ty][tx] = 0;
    if (k + tx < K)
      As[ty][tx] = A[ty * K + k + tx];
    if (k + ty < K)
      Bs[ty][tx] = B[(k + ty) * T + tx];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += As[ty][i] * Bs[i][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}
__global__ void __launch_bounds__(64)
of_three(const float4 *__restrict__ p, float *__restrict__ f, int n) {
  __shared__ float x[64], y[64], z[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    const int i = t + threadIdx.x;
    if (i < n) {
      x[threadIdx.x] = p[i].x;
      y[threadIdx.x] = p[i].y;
      z[threadIdx.x] = p[i].z;
    } else {
      x[threadIdx.x] = y[threadIdx.x] = z[threadIdx.x] = -1.0f;
    }
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += x[j] * y[(j + threadIdx.x) % 64] - z[j];
    __syncthreads();
  }
  f[threadIdx.x] = sum;
}

// Branches of which each instance takes its own.
template <bool Whole>
__global__ void __launch_bounds__(64)
whole(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  // CHECK: if (Whole)
  for (int t = 0; t < n; t += 64) {
    if constexpr (Whole)
      xs[threadIdx.x] = x[t + threadIdx.x];
    else
      xs[threadIdx.x] = t + threadIdx.x < n ? x[t + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <typename E, int Kind>
__global__ void __launch_bounds__(64)
kinds(const E *__restrict__ x, E *__restrict__ y, int n) {
  __shared__ E xs[64];
  E sum = 0;
  for (int t = 0; t < n; t += 64) {
    if constexpr (Kind == 0) {
      xs[threadIdx.x] = x[t + threadIdx.x];
    } else if constexpr (Kind == 1) {
      xs[threadIdx.x] = E(2) * x[t + threadIdx.x];
    } else {
      xs[threadIdx.x] = x[t + 63 - threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * E(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <bool Square>
__global__ void __launch_bounds__(64)
squared(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    float v = x[t + threadIdx.x];
    if constexpr (Square) {
      xs[threadIdx.x] = v * v;
    } else {
      xs[threadIdx.x] = v;
    }
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What no instance does is only there where the branch is an `if`: the author's
// text is pipelined.
template <int V>
__global__ void __launch_bounds__(64)
dead_branch(float *x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int t = 0; t < n; t += 64) {
    xs[threadIdx.x] = x[t + threadIdx.x];
    if constexpr (V == 3) {
      xs[threadIdx.x] = 0;
      x[t + threadIdx.x + 1] = sum;
    }
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * float(V * threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void instances(const float *x, float *y, const int *u, int *v, int n) {
  whole<true><<<1, 64>>>(x, y, n);
  whole<false><<<1, 64>>>(x, y, n);
  kinds<float, 0><<<1, 64>>>(x, y, n);
  kinds<float, 1><<<1, 64>>>(x, y, n);
  kinds<int, 2><<<1, 64>>>(u, v, n);
  dead_branch<1><<<1, 64>>>(y, y + n, n);
  dead_branch<2><<<1, 64>>>(y, y + n, n);
  squared<true><<<1, 64>>>(x, y, n);
  squared<false><<<1, 64>>>(x, y, n);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class Kernel> static void product(Kernel kernel, int rows = T) {
  for (int K : multiples(T)) {
    auto A = in<float>("A", T * K), B = in<float>("B", K * T);
    auto C = out<float>("C", T * T);
    launch({dim3(1), dim3(T, rows)}, kernel, A, B, C, K);
  }
}
CASE(closures) { product(closures); }
CASE(by_copy) { product(by_copy, 4); }
CASE(by_reference) { product(by_reference); }
CASE(stored) { product(stored); }
CASE(loaded) { product(loaded, 4); }
CASE(macros) { product(macros); }
CASE(nested_macros) { product(nested_macros); }
CASE(macro_body) { product(macro_body); }
CASE(other_arm) { product(other_arm); }
CASE(filled_before) { product(filled_before); }
template <class E, class Kernel> static void sums(Kernel kernel, int tile = 64) {
  for (int n : multiples(tile)) {
    auto x = in<E>("x", n), y = out<E>("y", 64);
    launch({dim3(1), dim3(64)}, kernel, x, y, n);
  }
}
CASE(macro_loop) { sums<float>(macro_loop, 128); }
CASE(whole) {
  sums<float>(whole<true>);
  for (int n : sizes(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, whole<false>, x, y, n);
  }
}
CASE(kinds) {
  sums<float>(kinds<float, 0>);
  sums<float>(kinds<float, 1>);
  sums<int>(kinds<int, 2>);
}
CASE(squared) {
  sums<float>(squared<true>);
  sums<float>(squared<false>);
}
CASE(dead_branch) {
  sums<float>(dead_branch<1>);
  sums<float>(dead_branch<2>);
}
CASE(bodies) {
  for (int n : multiples(64)) {
    auto p = in<float>("p", 4 * n), f = out<float>("f", 64);
    launch({dim3(1), dim3(64)}, bodies, p.as<float4>(), f, n);
  }
}
CASE(of_three) {
  for (int n : sizes(64)) {
    auto p = in<float>("p", 4 * n), f = out<float>("f", 64);
    launch({dim3(1), dim3(64)}, of_three, p.as<float4>(), f, n);
  }
}
#endif
