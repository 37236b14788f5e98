// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trip counts of copy loops that C++ does not count as constants, or that are
// made of names which registers cannot be declared with: variables that nothing
// writes again, a helper's own constants, types and enumerators.
// REQUIRES: executor
// RUN: %variants --at-least=10 %s

constexpr int T = 64;

#define BEGIN(Name)                                                            \
  __global__ void __launch_bounds__(T)                                         \
      Name(const float *__restrict__ x, float *__restrict__ y, int n)
#define USE(Array, Count)                                                      \
  for (int j = 0; j < Count; ++j)                                              \
  sum += Array[j] * (threadIdx.x ^ j)

// A variable like any other, before the loop.
BEGIN(never_written) {
  __shared__ float xs[4 * T];
  float sum = 0;
  int parts = 4 * T / 64;
  for (int k = 0; k < n; k += 4 * T) {
    for (int i = 0; i < parts; ++i)
      xs[i * T + threadIdx.x] = 2 * x[k + i * T + threadIdx.x];
    __syncthreads();
    USE(xs, 4 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// One made of another, a loop that starts at the thread's index.
BEGIN(of_others) {
  __shared__ float xs[4 * T];
  float sum = 0;
  int parts = 256 / T, width = parts * T;
  for (int k = 0; k < n; k += 4 * T) {
    for (int i = threadIdx.x; i < width; i += T)
      xs[i] = 2 * x[k + i];
    __syncthreads();
    USE(xs, width);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Other spellings of an initialisation, and first values and steps of such.
BEGIN(spellings) {
  __shared__ float xs[6 * T];
  float sum = 0;
  unsigned parts{6};
  auto step = 1u;
  unsigned from(2);
  for (int k = 0; k < n; k += 6 * T) {
    for (unsigned i = from; i <= parts + 1; i += step)
      xs[(i - 2) * T + threadIdx.x] = 2 * x[k + (i - 2) * T + threadIdx.x];
    __syncthreads();
    USE(xs, 6 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Within the loop, of a type that only the loop knows.
BEGIN(in_body) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    using V = float2;
    const int per = sizeof(V) / sizeof(float);
    int each = 4 / per;
    for (int i = 0; i < each; ++i) {
      V v = *(const V *)&x[k + (i * T + threadIdx.x) * per];
      xs[(i * T + threadIdx.x) * per] = 2 * v.x;
      xs[(i * T + threadIdx.x) * per + 1] = 2 * v.y;
    }
    __syncthreads();
    USE(xs, 4 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// In a template the text says what it means in the next instantiation.
template <int N>
__global__ void __launch_bounds__(T)
    in_template(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[N];
  float sum = 0;
  int parts = N / T;
  for (int k = 0; k < n; k += N) {
    for (int i = 0; i < parts; ++i)
      xs[i * T + threadIdx.x] = 2 * x[k + i * T + threadIdx.x];
    __syncthreads();
    USE(xs, N);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void in_template<2 * T>(const float *, float *, int);
template __global__ void in_template<4 * T>(const float *, float *, int);

// A helper's own constants.
template <int N>
__device__ void load(const float *from, float *xs) {
  constexpr int V = N / T;
  for (int i = 0; i < V; ++i)
    xs[i * T + threadIdx.x] = 2 * from[i * T + threadIdx.x];
}
BEGIN(of_helper) {
  __shared__ float xs[4 * T];
  float sum = 0;
  for (int k = 0; k < n; k += 4 * T) {
    load<4 * T>(x + k, xs);
    __syncthreads();
    USE(xs, 4 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Its types and enumerators, one made of the other.
template <int N>
__device__ void load_vectors(const float *from, float *xs) {
  using V = float4;
  constexpr int per = sizeof(V) / sizeof(float);
  enum { Each = N / T };
  constexpr int count = Each / per;
  for (int i = 0; i < count; ++i) {
    V v = *(const V *)&from[(i * T + threadIdx.x) * per];
    V twice = {v.x * 2, v.y * 2, v.z * 2, v.w * 2};
    *(V *)&xs[(i * T + threadIdx.x) * per] = twice;
  }
}
BEGIN(types_of_helper) {
  __shared__ __align__(16) float xs[8 * T];
  float sum = 0;
  for (int k = 0; k < n; k += 8 * T) {
    load_vectors<8 * T>(x + k, xs);
    __syncthreads();
    USE(xs, 8 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Locals of a helper that is no template.
__device__ void load_some(const float *from, float *xs) {
  int parts = 2;
  int width = parts * T;
  for (int i = threadIdx.x; i < width; i += T)
    xs[i] = from[i] + 1;
}
BEGIN(locals_of_helper) {
  __shared__ float xs[2 * T];
  float sum = 0;
  for (int k = 0; k < n; k += 2 * T) {
    load_some(x + k, xs);
    __syncthreads();
    USE(xs, 2 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Read by reference where the library promises to change nothing.
BEGIN(read_by_library) {
  __shared__ float xs[4 * T];
  float sum = 0;
  int parts = 4;
  int most = min(parts, 8);
  for (int k = 0; k < n; k += 4 * T) {
    for (int i = 0; i < most; i++)
      xs[i * T + threadIdx.x] = 2 * x[k + i * T + threadIdx.x];
    __syncthreads();
    USE(xs, 4 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What is computed with a constant is computed in its type: as an int, three
// less four is minus one, which a shift leaves as it is.
BEGIN(of_its_type) {
  __shared__ float xs[7 * T];
  float sum = 0;
  for (int k = 0; k < n; k += 7 * T) {
    const unsigned three = 3;
    for (int i = 0; i < ((three - 4) >> 29); ++i)
      xs[i * T + threadIdx.x] = 2 * x[k + i * T + threadIdx.x];
    __syncthreads();
    USE(xs, 7 * T);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
static void run(void (*kernel)(const float *, float *, int), int tile) {
  for (int n : multiples(tile)) {
    auto x = in<float>("x", n + tile);
    auto y = out<float>("y", T);
    launch({1, T}, kernel, x, y, n);
  }
}
CASE(never_written) { run(never_written, 4 * T); }
CASE(of_others) { run(of_others, 4 * T); }
CASE(spellings) { run(spellings, 6 * T); }
CASE(in_body) { run(in_body, 4 * T); }
CASE(in_template) {
  run(in_template<2 * T>, 2 * T);
  run(in_template<4 * T>, 4 * T);
}
CASE(of_helper) { run(of_helper, 4 * T); }
CASE(types_of_helper) { run(types_of_helper, 8 * T); }
CASE(locals_of_helper) { run(locals_of_helper, 2 * T); }
CASE(of_its_type) { run(of_its_type, 7 * T); }
CASE(read_by_library) { run(read_by_library, 4 * T); }
#endif
