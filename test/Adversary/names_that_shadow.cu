// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a loop is moved to where its names may mean something else: the
// loop's header and body declare names that shadow a parameter or a constant,
// and the compute says the name of its function.
// REQUIRES: executor
// RUN: %variants --ways=few --legal=_legal --at-least=2 %s

constexpr int T = 64;
constexpr int W = 3;

__global__ void __launch_bounds__(T)
header_shadows(const float *__restrict__ x, float *__restrict__ y, int n,
               int m) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0, n = m; i < n; i += T) {
    xs[threadIdx.x] = i + threadIdx.x < n ? x[i + threadIdx.x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < T && i + j < n; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + n;
}

__global__ void __launch_bounds__(T)
reference_shadows(const float *__restrict__ x, const float *__restrict__ w,
                  float *__restrict__ y, int n, float scale) {
  __shared__ float xs[T];
  float sum = scale;
  for (int i = 0; i < n; i += T) {
    const float &scale = w[i / T];
    xs[threadIdx.x] = x[i + threadIdx.x] * scale;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * scale * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
function_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (__func__[0] + (threadIdx.x ^ j));
    __syncthreads();
  }
  y[threadIdx.x] = sum + sizeof(__func__);
}

// In a macro, and only its size.
#define NAME_LENGTH (sizeof(__PRETTY_FUNCTION__) - 1)
__global__ void __launch_bounds__(T)
function_name_size(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + NAME_LENGTH;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

struct Pair {
  float a, b;
};
__global__ void __launch_bounds__(T)
binding_shadows(const float *__restrict__ x, const Pair *__restrict__ w,
                float *__restrict__ y, int n, float scale) {
  __shared__ float xs[T];
  float sum = scale;
  for (int i = 0; i < n; i += T) {
    auto [scale, bias] = w[i / T];
    xs[threadIdx.x] = x[i + threadIdx.x] * scale;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * scale * (threadIdx.x ^ j) + bias;
    __syncthreads();
  }
  y[threadIdx.x] = sum * scale;
}

// A reference to a parameter that shadows a constant of the file.
__global__ void __launch_bounds__(T)
pointer_shadows_constant(const int *__restrict__ x, int *__restrict__ y, int n,
                         int m) {
  __shared__ int xs[T];
  int sum = 0;
  for (int i = 0; i < n; i += T) {
    const int &W = m;
    xs[threadIdx.x] = x[i + threadIdx.x] * W;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * W * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum + W;
}

// Constants, types and enumerators of the body shadow those of the file.
using Sum = float;
__global__ void __launch_bounds__(T)
types_shadow(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  Sum sum = 0;
  for (int i = 0; i < n; i += T) {
    using Sum = int;
    constexpr int W = 5;
    xs[threadIdx.x] = x[i + threadIdx.x] + W;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += Sum(xs[j] * W) * float(threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum / Sum(W);
}

__global__ void __launch_bounds__(T)
enumerators_shadow(const int *__restrict__ x, int *__restrict__ y, int n,
                   int m) {
  __shared__ int xs[T];
  int sum = m;
  for (int i = 0; i < n; i += T) {
    enum { W = 7, m = 2 };
    xs[threadIdx.x] = x[i + threadIdx.x] * m;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * W * (threadIdx.x ^ j) + m;
    __syncthreads();
  }
  y[threadIdx.x] = sum + W + m;
}

// The loop's own variable has a parameter's name and is a pointer's, too.
__global__ void __launch_bounds__(T)
header_shadows_pointer(const float *__restrict__ x, float *__restrict__ y,
                       int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (const float *p = x, *const x = p + n, *const y = p; p < x; p += T) {
    xs[threadIdx.x] = p[threadIdx.x] + y[0];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + y[0];
    __syncthreads();
  }
  y[threadIdx.x] = sum + x[0];
}

// A closure of the body has a function's name.
__device__ int mix(int a) { return a * 3; }
__global__ void __launch_bounds__(T)
closure_shadows(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int xs[T];
  int sum = 0;
  for (int i = 0; i < n; i += T) {
    auto mix = [](int a) { return a * 5 + 1; };
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += mix(xs[j]) * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = mix(sum);
}

// The names that a pipeline likes are taken, by types and by labels.
struct stage {
  int fetch_tile, load_tile;
};
__global__ void __launch_bounds__(T)
taken_names(const int *__restrict__ x, int *__restrict__ y, int n) {
  __shared__ int xs[T];
  struct stage s = {1, 2};
  int sum = 0, xs_reg = 7;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x] + s.fetch_tile;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j) + xs_reg + int(sizeof(struct stage));
    __syncthreads();
  }
  y[threadIdx.x] = sum + s.load_tile;
}

// A copy shadows the parameter.
__global__ void __launch_bounds__(T)
value_shadows_legal(const float *__restrict__ x, const float *__restrict__ w,
                    float *__restrict__ y, int n, float scale) {
  __shared__ float xs[T];
  float sum = scale;
  for (int i = 0; i < n; i += T) {
    const float scale = w[i / T];
    xs[threadIdx.x] = x[i + threadIdx.x] * scale;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * scale * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum * scale;
}
__global__ void __launch_bounds__(T)
reference_of_body(const float *__restrict__ x, const float *__restrict__ w,
                float *__restrict__ y, int n, float scale) {
  __shared__ float xs[T];
  float sum = scale;
  for (int i = 0; i < n; i += T) {
    const float &factor = w[i / T];
    xs[threadIdx.x] = x[i + threadIdx.x] * factor;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * factor * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum * scale;
}
__global__ void __launch_bounds__(T)
shadow_in_compute_legal(const float *__restrict__ x, float *__restrict__ y,
                        int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i) {
      float n = xs[i];
      sum += n * (threadIdx.x ^ i);
    }
    __syncthreads();
  }
  y[threadIdx.x] = sum + n;
}

#ifdef KPIPE_HARNESS
#include "adversary.h"
#define SCALED(K, V)                                                           \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<float>("x", n), y = out<float>("y", T);                      \
      auto w = in<float>("w", 2 * (n / T + 1));                                \
      launch({1, T}, K, x, w.as<V>(), y, n, 7.0f);                             \
    }                                                                          \
  }
#define INTEGERS(K, ...)                                                       \
  CASE(K) {                                                                    \
    for (int n : multiples(T)) {                                               \
      auto x = in<int>("x", n), y = out<int>("y", T);                          \
      launch({1, T}, K, x, y, n, ##__VA_ARGS__);                               \
    }                                                                          \
  }
CASE(header_shadows) {
  for (int n : sizes(T)) {
    auto x = in<float>("x", n), y = out<float>("y", T);
    launch({1, T}, header_shadows, x, y, 10, n);
  }
}
SCALED(reference_shadows, float)
TILES(function_name)
TILES(function_name_size)
SCALED(binding_shadows, Pair)
INTEGERS(pointer_shadows_constant, 11)
TILES(types_shadow)
INTEGERS(enumerators_shadow, 11)
TILES(header_shadows_pointer)
INTEGERS(closure_shadows)
INTEGERS(taken_names)
SCALED(value_shadows_legal, float)
SCALED(reference_of_body, float)
TILES(shadow_in_compute_legal)
#endif
