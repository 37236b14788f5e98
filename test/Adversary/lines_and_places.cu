// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text asks where it stands: in defaults of arguments and members, which are
// written elsewhere, in the header, in helpers that are copied. Lines are counted
// anew before each kernel, since those of a file move with what is pipelined above.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;
#line 1000
__device__ int line_of(int l = __builtin_LINE()) { return l; }
__device__ int letter(const char *f = __builtin_FUNCTION()) { return f[0]; }
struct Where {
  int line = __builtin_LINE();
};

#line 1000
__global__ void __launch_bounds__(T)
default_line(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + line_of();
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
default_function(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + letter());
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
__global__ void __launch_bounds__(T)
member_line_braces(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    Where w{};
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + w.line);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
__global__ void __launch_bounds__(T)
line_in_step(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T + (__LINE__ > 100) * T * 0 + __LINE__ * 64) {
    xs[threadIdx.x] = x[i % (n + 1) + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
__global__ void __launch_bounds__(T)
line_in_init(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = __LINE__ * 0 + __LINE__ % 8; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
__global__ void __launch_bounds__(T)
builtin_line_step(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T * (1 + line_of() % 5)) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
__global__ void __launch_bounds__(T)
line_in_cond(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n + (__LINE__ & 1) * T; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
#define TEXT(a) #a
#define TEXT2(a) TEXT(a)
__global__ void __launch_bounds__(T)
line_string(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + TEXT2(__LINE__)[1]);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
template <int N> __device__ int num() { return N; }
__global__ void __launch_bounds__(T)
line_template(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + num<__LINE__>());
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <typename F> __device__ int name_len() { return sizeof(__PRETTY_FUNCTION__); }
__global__ void __launch_bounds__(T)
local_type_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    struct L {};
    for (int j = 0; j < T; ++j)
      sum += xs[j] * ((threadIdx.x ^ j) + name_len<L>());
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#line 1000
__device__ __forceinline__ void fill_line(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x] + __LINE__ % 50;
}

__global__ void __launch_bounds__(T)
line_of_helper(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    fill_line(xs, x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A default that asks for nothing.
__device__ int seven(int v = 7) { return v; }
struct Eight {
  int v = 8;
};
__global__ void __launch_bounds__(T)
defaults_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    Eight e{};
    xs[threadIdx.x] = x[i + threadIdx.x] + seven() + e.v;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__device__ __forceinline__ void fill(float *to, const float *from) {
  auto [a, b] = int2{1, 2};
  to[threadIdx.x] = from[threadIdx.x] * b + a;
}
__global__ void __launch_bounds__(T)
helper_legal(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    fill(xs, x + i);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
TILES(default_line)
TILES(default_function)
TILES(member_line_braces)
TILES(line_in_step)
TILES(line_in_init)
TILES(builtin_line_step)
TILES(line_in_cond)
TILES(line_string)
TILES(line_template)
TILES(local_type_name)
TILES(line_of_helper)
TILES(defaults_legal)
TILES(helper_legal)
#endif
