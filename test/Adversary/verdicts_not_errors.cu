// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text that is hard to move or to take apart. It is pipelined or refused; an
// internal error would cost the whole file.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;

__global__ void __launch_bounds__(T)
comment_after_pragma(const float *__restrict__ x, float *__restrict__ y,
                     int n) {
  __shared__ float xs[T];
  float sum = 0;
#pragma unroll 1
  // the K loop
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
goto_over(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (n == T)
    goto done;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  sum += n ? xs[threadIdx.x ^ 1] : 0;
done:
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
local_types(const float *__restrict__ x, float *__restrict__ y, int n) {
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
    const F *src = x + i;
    xs[threadIdx.x] = src[threadIdx.x];
    __syncthreads();
    for (Index j = 0; j < Half; ++j) {
      Two t{xs[j], xs[j + Half]};
      sum += (t.a - t.b) * (threadIdx.x ^ (j + One));
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
extent_of_the_body(const float *__restrict__ x, float *__restrict__ y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    constexpr int W = T;
    __shared__ float xs[W];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__device__ void sync_tile(int) { __syncthreads(); }
__global__ void __launch_bounds__(T)
barrier_with_argument(const float *__restrict__ x, float *__restrict__ y,
                      int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    int tile = i / T;
    xs[threadIdx.x] = x[tile * T + threadIdx.x];
    sync_tile(tile);
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    sync_tile(tile);
  }
  y[threadIdx.x] = sum;
}
struct V {
  float v;
  __device__ explicit V(float f) : v(f) {}
};
__global__ void __launch_bounds__(T)
no_default_constructor(const V *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ __align__(16) unsigned char raw[T * sizeof(V)];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    V *xs = reinterpret_cast<V *>(raw);
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += reinterpret_cast<V *>(raw)[j].v * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The pragma is an operator, and comes from a macro.
#define UNROLL(n) _Pragma("unroll 1")
__global__ void __launch_bounds__(T)
pragma_operator(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  UNROLL(4) /* the K loop */
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
#pragma unroll
    // each element
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// A label, a switch into which the loop falls, a jump behind a declaration.
__global__ void __launch_bounds__(T)
case_before_loop(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  switch (n / T) {
  case 1:
    sum = 1;
  case 2:
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    break;
  default:
  tiles:
    for (int i = 0; i < n; i += T) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum -= xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
  }
  y[threadIdx.x] = sum;
  if (n < 0)
    goto tiles;
}
// The tile's type is the body's, its extent an enumerator's.
__global__ void __launch_bounds__(T)
type_of_the_body(const float2 *__restrict__ x, float *__restrict__ y, int n) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    struct Two {
      float a, b;
    };
    enum : int { W = T };
    __shared__ Two xs[W];
    xs[threadIdx.x].a = x[i + threadIdx.x].x;
    xs[threadIdx.x].b = x[i + threadIdx.x].y;
    __syncthreads();
    for (int j = 0; j < W; ++j)
      sum += (xs[j].a - xs[j].b) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// A const member, and a copy that is deleted.
struct Fixed {
  const float v;
  float w;
};
__global__ void __launch_bounds__(T)
constant_member(const Fixed *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    const Fixed f = x[i + threadIdx.x];
    xs[threadIdx.x] = f.v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + f.w;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// A reference of the body to what the load has made, and an array of its own.
__global__ void __launch_bounds__(T)
array_of_the_body(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    const float own[2] = {x[i], x[i + 1]};
    const float(&pair)[2] = own;
    auto [a, b] = own;
    xs[threadIdx.x] = x[i + threadIdx.x] * pair[0];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + pair[1] * a - b;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// The loop is the body of an if with a declaration, without braces.
__global__ void __launch_bounds__(T)
body_of_an_if(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  if (int tiles = n / T; tiles > 1)
    for (int i = 0; i < tiles; ++i) {
      xs[threadIdx.x] = x[i * T + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
  else
    sum = tiles;
  y[threadIdx.x] = sum;
}
// The condition declares the variable that the body uses.
__global__ void __launch_bounds__(T)
condition_declares(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; int left = n - i; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + left);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A loop of two files: one holds the header and the load, or the body.
__global__ void __launch_bounds__(T)
begins_elsewhere(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
#include "Inputs/begin.inc"
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
body_elsewhere(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
#include "Inputs/body.inc"
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
pragma_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  // the K loop
#pragma unroll 1
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
__global__ void __launch_bounds__(T)
extent_of_the_file_legal(const float *__restrict__ x, float *__restrict__ y,
                         int n) {
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    __shared__ float xs[T];
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define PAIRS(K, V)                                                            \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", 2 * n), y = out<float>("y", T);                  \
      launch({1, T}, K, x.as<V>(), y, n);                                      \
    }                                                                          \
  }
TILES(comment_after_pragma)
TILES(goto_over)
TILES(local_types)
TILES(extent_of_the_body)
TILES(barrier_with_argument)
PAIRS(no_default_constructor, V)
TILES(pragma_operator)
TILES(case_before_loop)
PAIRS(type_of_the_body, float2)
PAIRS(constant_member, Fixed)
TILES(array_of_the_body)
TILES(body_of_an_if)
TILES(condition_declares)
TILES(begins_elsewhere)
TILES(body_elsewhere)
TILES(pragma_legal)
TILES(extent_of_the_file_legal)
#endif
