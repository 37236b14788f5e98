// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to mention a tile that no index can be added to, or that a reference
// may mean something else in: macros, sizes, closures, helpers, names that are
// used again. Where the name can mean a stage there are two.
// REQUIRES: executor
// RUN: %variants --at-least=30 --option=--launches=elsewhere %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --launches=elsewhere %s 2>&1 | FileCheck %s

constexpr int T = 16;
#define TILE(i) xs[(i)]
#define NEXT (threadIdx.x ^ 1)
#define KEEP TILE(threadIdx.x)
#define MINUS(a) (a)[T - 1 - threadIdx.x]

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
macros(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i += T) {
    KEEP = x[i + threadIdx.x];
    __syncthreads();
    sum += TILE(NEXT) - MINUS(xs);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    TILE(threadIdx.x) = x[i + threadIdx.x];
    __syncthreads();
    sum += TILE(NEXT);
    __syncthreads();
  }
  auto last = [=](int i) { return sum + i; };
  y[threadIdx.x] = last(0) + (n > 0 ? TILE(NEXT) * sizeof(xs) : 0);
}

__device__ float total(const float (&tile)[T], int size) {
  float all = 0;
  for (int i = 0; i < size / int(sizeof(tile[0])); ++i)
    all += tile[i] * (i ^ threadIdx.x);
  return all;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
sized(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < int(sizeof(xs) / sizeof(*xs)); j += T)
      xs[j] = x[i + j];
    __syncthreads();
    sum += total(xs, sizeof(xs));
    for (const float &v : xs)
      sum += v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
by_reference(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    auto add = [&](int j) { sum += xs[j] * (j ^ threadIdx.x); };
    for (int j = 0; j < T; ++j)
      add(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The closure's own tile would be a copy of the stage.
// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
by_copy(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    auto add = [=](int j) {
      auto inner = [&] { return xs[j ^ 1]; };
      return xs[j] * (j ^ threadIdx.x) + inner() / sizeof(xs);
    };
    for (int j = 0; j < T; ++j)
      sum += add(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
without_capture(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    auto at = [](int j) { return xs[j]; };
    for (int j = 0; j < T; ++j)
      sum += at(j) * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
local_class(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    struct Get {
      __device__ static void from(int j, float &to) { to = xs[j]; }
    };
    for (int j = 0; j < T; ++j) {
      float one;
      Get::from(j, one);
      sum += one * (j ^ threadIdx.x);
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
type_asked(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    decltype(xs) own = {};
    for (int j = 0; j < T; ++j)
      own[j] = xs[j] * (j ^ threadIdx.x);
    for (float v : own)
      sum += v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
named_again(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[NEXT];
    {
      float xs = sum / 2;
      sum += xs;
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
named_again_in_the_body(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[NEXT];
    float xs = sum / 2;
    sum += xs;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:5: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
named_again_behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (n > 0) {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      sum += xs[NEXT];
      __syncthreads();
    }
    sum += xs[threadIdx.x];
    float xs = sum / 2;
    sum += xs;
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: 2 stages
template <bool Scale>
__global__ void __launch_bounds__(T)
discarded(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    if constexpr (Scale)
      sum += xs[threadIdx.x] * sizeof(xs);
    sum += xs[NEXT];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void discarded<true>(const float *, float *, int);

// CHECK: :[[#@LINE+8]]:3: remark: pipelined K-loop: 2 stages
template <bool Clear>
__global__ void __launch_bounds__(T)
discarded_before(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  if constexpr (Clear)
    xs[threadIdx.x] = 0;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[NEXT];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template __global__ void discarded_before<false>(const float *, float *, int);

// What an init capture makes is made outside of the closure.
// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
captured(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    auto refers = [&tile = xs](int j) { return tile[j]; };
    auto holds = [v = xs[NEXT]] { return v; };
    auto both = [=, &tile = xs](int j) { return tile[j] - xs[j ^ 3]; };
    for (int j = 0; j < T; ++j)
      sum += refers(j) * (j ^ threadIdx.x) + holds() + both(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
element_type(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    auto at = [&](int j) -> decltype(xs[0]) { return xs[j]; };
    decltype(xs[0] + 0) own = 0;
    for (int j = 0; j < T; ++j)
      own += at(j) * (j ^ threadIdx.x);
    sum += own;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <int N> __device__ constexpr int count(const float (&)[N]) { return N; }

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
counted(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const int size = count(xs);
    for (int j = 0; j < size; ++j)
      sum += xs[j] * (j ^ threadIdx.x);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: single buffer
// CHECK: note: {{.*}}'xs' is part of a constant
__global__ void __launch_bounds__(T)
constants(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    const int size = count(xs);
    float own[size];
    for (int j = 0; j < size; ++j)
      own[j] = xs[j] * (j ^ threadIdx.x);
    for (float v : own)
      sum += v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
more_constants(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], ys[T], zs[T], ws[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    ys[threadIdx.x] = x[i + threadIdx.x] * 2;
    zs[threadIdx.x] = x[i + threadIdx.x] * 3;
    ws[threadIdx.x] = x[i + threadIdx.x] * 4;
    __syncthreads();
    static_assert(count(xs) == T, "");
    enum { Size = count(ys) };
    if constexpr (count(zs) == T)
      sum += xs[NEXT] + ys[NEXT] * Size;
#pragma unroll count(ws)
    for (int j = 0; j < T; ++j)
      sum += zs[j] * (j ^ threadIdx.x) + ws[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: single buffer
// CHECK: note: {{.*}}'xs' is the operand of an alignof
__global__ void __launch_bounds__(T)
alignment_asked(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(32) float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[NEXT] * alignof(xs) + alignof(xs[0]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: single buffer
// CHECK: note: {{.*}}'xs' is declared again in the loop
__global__ void __launch_bounds__(T)
enumerator(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[NEXT];
    enum { xs = 3 };
    sum += xs;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Two {
  float one, two;
};
// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: single buffer
// CHECK: note: {{.*}}'xs' is declared again in the loop
__global__ void __launch_bounds__(T)
binding(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += xs[NEXT];
    auto [xs, two] = Two{sum / 2, 2};
    sum += xs;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+5]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
in_the_loop(const float *__restrict__ x, float *__restrict__ y, int n) {
  const float *xs = x;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __shared__ float xs[T];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    auto add = [=](int j) { return xs[j] * sizeof(xs); };
    sum += add(NEXT) + xs[3];
    __syncthreads();
  }
  sum += xs[threadIdx.x];
  y[threadIdx.x] = sum;
}

#define OTHER(i) other[(i)]
// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: 2 stages
template <bool More>
__global__ void __launch_bounds__(T)
discarded_macro(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T], other[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    other[threadIdx.x] = x[i + NEXT];
    __syncthreads();
    sum += xs[NEXT];
    if constexpr (More)
      sum += OTHER(NEXT);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template __global__ void discarded_macro<false>(const float *, float *, int);

// CHECK: :[[#@LINE+7]]:5: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
case_past_the_loop(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  switch (n) {
  default: {
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      sum += xs[NEXT];
      __syncthreads();
    }
    sum += xs[threadIdx.x];
  case 0:
    sum += 1;
  }
  }
  y[threadIdx.x] = sum;
}

#define VIEW(i) view[(i)]
// CHECK: :[[#@LINE+7]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
views(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float block[];
  float *view = block, *other = block + T;
  float(&both)[2][T] = *reinterpret_cast<float(*)[2][T]>(block);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    VIEW(threadIdx.x) = x[i + threadIdx.x];
    other[threadIdx.x] = x[i + NEXT] * 2;
    __syncthreads();
    auto sums = [=](int j) { return VIEW(j) + other[j ^ 1]; };
    auto refers = [&](int j) { return both[0][j] - both[1][j] / sizeof(both); };
    for (int j = 0; j < T; ++j)
      sum += sums(j) * (j ^ threadIdx.x) + refers(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+7]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
listed(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float block[];
  float *view = block;
  float(&both)[2][T] = *reinterpret_cast<float(*)[2][T]>(block);
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    both[0][threadIdx.x] = x[i + threadIdx.x];
    both[1][threadIdx.x] = x[i + NEXT] * 2;
    __syncthreads();
    auto at = [view](int j) { return view[j]; };
    auto from = [&both](int j) { return both[0][j] + both[1][j]; };
    for (int j = 0; j < T; ++j)
      sum += at(j) * (j ^ threadIdx.x) + from(j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T)
listed_behind(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float block[];
  float *view = block;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    view[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += view[NEXT];
    __syncthreads();
  }
  auto at = [view](int j) { return view[j]; };
  if (n > 0)
    sum += at(NEXT);
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+7]]:3: remark: pipelined K-loop: single buffer
// CHECK: note: {{.*}}'block' is used as an array
__global__ void __launch_bounds__(T)
as_an_array(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float block[];
  float *view = block;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    view[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    float(&tile)[T] = reinterpret_cast<float(&)[T]>(block);
    sum += tile[NEXT];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+6]]:3: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
named_in_the_header(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float block[];
  float *view = block, *i = block + T;
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    view[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += view[NEXT];
    __syncthreads();
  }
  if (n > 0)
    sum += i[-1];
  y[threadIdx.x] = sum;
}

// CHECK: :[[#@LINE+8]]:5: remark: pipelined K-loop: 2 stages
__global__ void __launch_bounds__(T)
hidden(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float block[];
  float *view = block;
  float sum = 0;
  {
    const float *block = x;
    for (int i = 0; i < n; i += T) {
      view[threadIdx.x] = block[i + threadIdx.x];
      __syncthreads();
      sum += view[NEXT];
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
using namespace harness;

template <typename Kernel> static void run(Kernel k, size_t bytes = 0) {
  for (int n : multiples(T)) {
    auto x = in<float>("x", n + T);
    auto y = out<float>("y", T);
    launch({1, T, bytes}, k, x, y, n);
  }
}
CASE(macros) { run(macros); }
CASE(behind) { run(behind); }
CASE(sized) { run(sized); }
CASE(by_reference) { run(by_reference); }
CASE(by_copy) { run(by_copy); }
CASE(without_capture) { run(without_capture); }
CASE(local_class) { run(local_class); }
CASE(type_asked) { run(type_asked); }
CASE(named_again) { run(named_again); }
CASE(named_again_in_the_body) { run(named_again_in_the_body); }
CASE(named_again_behind) { run(named_again_behind); }
CASE(discarded) {
  run(discarded<true>);
  run(discarded<false>);
}
CASE(discarded_before) { run(discarded_before<false>); }
CASE(captured) { run(captured); }
CASE(element_type) { run(element_type); }
CASE(counted) { run(counted); }
CASE(constants) { run(constants); }
CASE(more_constants) { run(more_constants); }
CASE(alignment_asked) { run(alignment_asked); }
CASE(enumerator) { run(enumerator); }
CASE(binding) { run(binding); }
CASE(in_the_loop) { run(in_the_loop); }
CASE(discarded_macro) { run(discarded_macro<false>); }
CASE(case_past_the_loop) { run(case_past_the_loop); }
CASE(listed) { run(listed, 16 * T * sizeof(float)); }
CASE(listed_behind) { run(listed_behind, 16 * T * sizeof(float)); }
CASE(as_an_array) { run(as_an_array, 16 * T * sizeof(float)); }
CASE(named_in_the_header) { run(named_in_the_header, 16 * T * sizeof(float)); }
CASE(hidden) { run(hidden, 16 * T * sizeof(float)); }
CASE(views) { run(views, 16 * T * sizeof(float)); }
#endif
