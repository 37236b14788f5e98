// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names and storage that a rewrite could mix up: declarations of the body that
// both regions use, headers that declare more than they step, closures and
// references, values that are pasted behind operators, side effects.
// REQUIRES: executor
// RUN: %variants --at-least=16 %s

constexpr int T = 64;

#define USE(Weight)                                                            \
  for (int j = 0; j < T; ++j)                                                  \
  sum += xs[j] * float(Weight)
#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, const float *__restrict__ w,           \
           float *__restrict__ y, int n, int m)

// A reference of the body hides a parameter.
BEGIN(hiding_reference) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    const float &m = w[i / T];
    xs[threadIdx.x] = x[i + threadIdx.x] * m;
    __syncthreads();
    USE(m * (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum + m;
}

// The second variable of the header hides a parameter, and is not stepped.
BEGIN(hiding_header) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0, m = n; i < m; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < m ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    USE((threadIdx.x ^ j) + m);
    __syncthreads();
  }
  y[threadIdx.x] = sum + m;
}

// The header sets an induction of the body.
BEGIN(header_sets) {
  __shared__ float xs[T];
  float sum = 0;
  int i, off = 77;
  for (i = 0, off = m; i < n; i += T) {
    xs[threadIdx.x] = x[off - m + threadIdx.x];
    __syncthreads();
    USE((threadIdx.x ^ j) + off);
    off += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}

// The header declares an induction of the body.
BEGIN(header_declares) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0, off = 0; i < n; i += T) {
    xs[threadIdx.x] = x[off + threadIdx.x];
    __syncthreads();
    USE((threadIdx.x ^ j) + off);
    off += T;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Types, enumerators and constants of the body.
BEGIN(local_types) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    using F = float;
    typedef int Index;
    enum { Half = T / 2 };
    struct Two {
      F a, b;
    };
    static_assert(Half == 32, "");
    constexpr int One = 1;
    const F *from = x + i;
    xs[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    for (Index j = 0; j < Half; ++j) {
      Two t{xs[j], xs[j + Half]};
      sum += (t.a - t.b) * (threadIdx.x ^ (j + One));
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What the type of a shared array of the body is made of moves out with it.
BEGIN(hoisted_type) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    constexpr int W = T;
    struct Cell {
      float v;
    };
    __shared__ Cell cells[W];
    cells[threadIdx.x].v = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < W; ++j) {
      Cell c = cells[j];
      sum += c.v * (threadIdx.x ^ j);
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The type of the header's variable, and nothing else of it.
BEGIN(unevaluated) {
  __shared__ float xs[T];
  float sum = 0;
  for (long i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (decltype(i) j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + sizeof(i));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Other names that the body makes for itself.
BEGIN(names_of_body) {
  __shared__ float xs[T];
  float sum = 0;
  int off = 0;
  for (int i = 0; i < n; i += T) {
    const int &at = i;
    int *p = &off;
    auto from = [&](int j) { return x[at + j]; };
    xs[threadIdx.x] = from(threadIdx.x) + *p;
    __syncthreads();
    USE((threadIdx.x ^ j) + *p + at);
    *p += 3;
    __syncthreads();
  }
  y[threadIdx.x] = sum + off;
}

// The bits of a mask, and conditions that bind loosely.
BEGIN(bits) {
  __shared__ float xs[T];
  float sum = 0;
  for (unsigned b = n / T; b != 0; b &= b - 1) {
    xs[threadIdx.x] = x[(__ffs(b) - 1) * T + threadIdx.x];
    __syncthreads();
    USE(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(loose_condition) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; m ? i < n : i + 1 < n; i = m ? i + T : i + 2 * T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    USE(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
BEGIN(quotient) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = n; i > m; i /= m + 2) {
    xs[threadIdx.x] = x[i - i % T - T + threadIdx.x];
    __syncthreads();
    USE((threadIdx.x ^ j) + i);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A condition that counts: asked once for each element.
BEGIN(counting_condition) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int c = 0;
    for (int j = 0; j < 4; ++j)
      xs[j * T + threadIdx.x] = c++ < 3 ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 4 * T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A copy loop that starts below zero where an unsigned sum has wrapped.
BEGIN(below_zero) {
  __shared__ float xs[T + 8];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x - 8; j < T; j += T)
      xs[j + 8] = x[i + j + 8];
    __syncthreads();
    for (int j = 0; j < T + 8; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A row is set behind the copy, for the next tile.
BEGIN(row_behind) {
  __shared__ float xs[4][T];
  float sum = 0;
  int row = 0;
  for (int i = 0; i < n; i += T) {
    xs[row][threadIdx.x] = x[i + threadIdx.x];
    row = (i / T + 1) & 3;
    __syncthreads();
    for (int r = 0; r < min(4, i / T + 1); ++r)
      for (int j = 0; j < T; ++j)
        sum += xs[r][j] * ((threadIdx.x ^ j) + r);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The same row set in front of it is computed by both halves.
BEGIN(row_before) {
  __shared__ float xs[4][T];
  float sum = 0;
  int row = 0;
  for (int i = 0; i < n; i += T) {
    row = (i / T) & 3;
    xs[row][threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < min(4, i / T + 1); ++r)
      for (int j = 0; j < T; ++j)
        sum += xs[r][j] * ((threadIdx.x ^ j) + r);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A barrier that is given a variable of the body.
__device__ void sync_tile(int) { __syncthreads(); }
BEGIN(barrier_argument) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int tile = i / T;
    xs[threadIdx.x] = x[tile * T + threadIdx.x];
    sync_tile(tile);
    USE(threadIdx.x ^ j);
    sync_tile(i);
  }
  y[threadIdx.x] = sum;
}

// A jump leads over the loop, and the array is used behind it.
BEGIN(jumped_over) {
  __shared__ float xs[T];
  float sum = 0;
  if (n == T)
    goto done;
#pragma unroll 1
  // A comment between the pragma and the loop.
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    USE(threadIdx.x ^ j);
    __syncthreads();
  }
  sum += n ? xs[threadIdx.x ^ 1] : 0;
done:
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, const float *, float *, int, int),
                int m = 1) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + 8), w = in<float>("w", n / T + 1);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, w, y, n, m);
  }
}
CASE(hiding_reference) { run(hiding_reference); }
CASE(hiding_header) { run(hiding_header); }
CASE(header_sets) { run(header_sets); }
CASE(header_declares) { run(header_declares); }
CASE(local_types) { run(local_types); }
CASE(hoisted_type) { run(hoisted_type); }
CASE(unevaluated) { run(unevaluated); }
CASE(names_of_body) { run(names_of_body); }
CASE(bits) { run(bits); }
CASE(loose_condition) {
  run(loose_condition, 0);
  run(loose_condition, 1);
}
CASE(quotient) {
  run(quotient, T);
  run(quotient, T + 1);
}
CASE(counting_condition) { run(counting_condition); }
CASE(below_zero) { run(below_zero); }
CASE(row_behind) { run(row_behind); }
CASE(row_before) { run(row_before); }
CASE(barrier_argument) { run(barrier_argument); }
CASE(jumped_over) { run(jumped_over); }
#endif
