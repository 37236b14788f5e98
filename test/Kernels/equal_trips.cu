// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that start at a thread's own index, up to a bound that their step
// divides: every thread has as many turns, so barriers of a rest, of a second
// loop or of the kernel's other branch are passed by whole blocks.
// REQUIRES: executor
// RUN: %variants --at-least=13 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | grep -c ': remark: pipelined' | grep -x 13

constexpr int T = 32, W = 8;

template <typename U, typename V>
constexpr __host__ __device__ auto floored(U a, V b) -> decltype(a + b) {
  return a / b * b;
}
/// A matrix as libraries have them: asked for its sizes, and for its rows.
struct View {
  const float *data;
  long size[2];
  __host__ __device__ long rows() const { return size[0]; }
  __host__ __device__ long getSize(int i) const { return size[i]; }
  __device__ const float *operator[](long row) { return data + row * size[1]; }
};

#define DOT(N)                                                                 \
  for (int j = 0; j < (N); ++j)                                                \
    sum += fabsf(as[threadIdx.y][j] - bs[threadIdx.x % W][j]);

// Both branches of a condition of the block have such loops and a rest.
__global__ void branches(View a, View b, float *out) {
  __shared__ float as[W][T + 1], bs[W][T + 1];
  const float *a0 = a[threadIdx.y], *b0 = b[threadIdx.y + blockIdx.x * W];
  float sum = 0;
  if (blockIdx.x != gridDim.x - 1) {
    long limit = floored(a.getSize(1), T);
    for (long k = threadIdx.x; k < limit; k += T) {
      as[threadIdx.y][threadIdx.x] = a0[k];
      bs[threadIdx.y][threadIdx.x] = b0[k];
      __syncthreads();
      DOT(T)
      __syncthreads();
    }
    if (limit < a.getSize(1)) {
      long k = limit + threadIdx.x;
      as[threadIdx.y][threadIdx.x] = k < a.getSize(1) ? a0[k] : 0.0f;
      bs[threadIdx.y][threadIdx.x] = k < a.getSize(1) ? b0[k] : 0.0f;
      __syncthreads();
      DOT(T)
    }
  } else {
    bool in = threadIdx.y + blockIdx.x * W < b.rows();
    long limit = floored(a.getSize(1), T);
    for (long k = threadIdx.x; k < limit; k += T) {
      as[threadIdx.y][threadIdx.x] = a0[k];
      bs[threadIdx.y][threadIdx.x] = in ? b0[k] : 0.0f;
      __syncthreads();
      DOT(T)
      __syncthreads();
    }
    if (limit < a.getSize(1)) {
      long k = limit + threadIdx.x;
      as[threadIdx.y][threadIdx.x] = k < a.getSize(1) ? a0[k] : 0.0f;
      bs[threadIdx.y][threadIdx.x] = k < a.getSize(1) && in ? b0[k] : 0.0f;
      __syncthreads();
      DOT(T)
    }
  }
  out[(blockIdx.x * W + threadIdx.y) * T + threadIdx.x] = sum;
}

// Two loops, one behind the other; each has barriers that the other one's
// threads must not meet.
__global__ void __launch_bounds__(T)
    twice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  const int limit = n & ~(T - 1);
  float sum = 0;
  for (int k = threadIdx.x; k < limit; k += T) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * float(j + 1);
    __syncthreads();
  }
  for (int k = threadIdx.x; k < limit; k = k + T) {
    xs[threadIdx.x] = x[k] * 2.0f;
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j ^ 1] * float(j % 3);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A part of K for each block of the grid's z, in an outer loop over rows.
__global__ void __launch_bounds__(T)
    parts(const float *__restrict__ x, float *__restrict__ y, int n, int rows) {
  __shared__ float xs[T];
  const unsigned first = blockIdx.x * T;
  const unsigned last = unsigned(n) - unsigned(n) % T;
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (unsigned k = first + threadIdx.x; k < last; k += T * 2) {
      xs[threadIdx.x] = x[r * n + k];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * float(j + 1);
      __syncthreads();
    }
    y[(blockIdx.x * rows + r) * T + threadIdx.x] = sum;
  }
}

// The step is no power of two, and the index is that of a thread in its block.
__global__ void __launch_bounds__(24)
    by_24(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[24];
  float sum = 0;
  for (int k = threadIdx.x; k < n / 24 * 24; k += 24) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 24; ++j)
      sum += xs[j] * float(j + 1);
    __syncthreads();
  }
  for (int k = threadIdx.x; k < n / 24 * 24; k += 24) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 24; ++j)
      sum += xs[j] * float(j % 5);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// The index within a group of threads, which a step covers.
__global__ void __launch_bounds__(T *W)
    groups(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[W][T];
  const int lane = threadIdx.x % T, group = threadIdx.x / T;
  const int limit = (n / T) * T;
  float sum = 0;
  for (int k = lane; k < limit; k += T) {
    xs[group][lane] = x[group * n + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j % W][j] * float(j + group);
    __syncthreads();
  }
  for (int k = lane; k < limit; k += T) {
    xs[group][lane] = x[group * n + k];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j % W][j] * float(j % 3);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What calls make of the block's own numbers, of constant memory and of members.
__constant__ int extra;
struct Part {
  int size[2];
  mutable int asked;
  __device__ int whole(int by) const { return size[0] / by * by; }
  __device__ int entry(int i) const { return size[i & 1]; }
};
__device__ int bigger(const int &a, const int &b) { return a < b ? b : a; }
__device__ bool isLast() { return blockIdx.x == gridDim.x - 1; }
__device__ int more(int n) { return n + extra; }

__global__ void __launch_bounds__(T)
    calls(const float *__restrict__ x, float *__restrict__ y, int n, Part p) {
  __shared__ float xs[T];
  float sum = 0;
  if (isLast()) {
    for (int k = threadIdx.x; k < p.whole(T); k += T) {
      xs[threadIdx.x] = x[k];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * float(j + 1);
      __syncthreads();
    }
    if (more(n) > p.entry(1)) {
      __syncthreads();
      sum += 1;
    }
  } else {
    for (int k = threadIdx.x; k < min((n & ~(T - 1)) | T, 5 * T); k += T) {
      xs[threadIdx.x] = x[k];
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += xs[j] * float(j % 5);
      __syncthreads();
    }
    if (p.entry(0) > bigger(n, 40)) {
      __syncthreads();
      sum += 2;
    }
  }
  y[blockIdx.x * T + threadIdx.x] = sum;
}

// The counter is one that other loops use too, and the offset is of each thread.
__global__ void __launch_bounds__(256)
    counters(const float *__restrict__ x, const int *__restrict__ at,
             float *__restrict__ y, int n) {
  __shared__ float xs[256];
  int k;
  float sum = 0;
  for (k = 0; k < 3; ++k)
    sum += k;
  for (k = at[threadIdx.x] & 31; k < n - (n & 31); k += 32) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 256; j += 8)
      sum += xs[j] * float(j + 1);
    __syncthreads();
  }
  for (k = 31 - int(threadIdx.x % 32); n - n % 64 > k; k = 32 + k) {
    xs[threadIdx.x] = x[k];
    __syncthreads();
    for (int j = 0; j < 256; j += 8)
      sum += xs[j] * float(j % 7);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(general) {
  for (int n : {0, 5, 32, 33, 64, 100, 160}) {
    auto a = in<float>("a", W * n + T);
    auto b = in<float>("b", 3 * W * n + T);
    auto y = out<float>("y", 3 * W * T);
    launch({dim3(3), dim3(T, W)}, branches, View{a, {W, n}},
           View{b, {3 * W, n}}, y);
  }
}
CASE(both) {
  for (int n : {0, 31, 32, 95, 96, 200}) {
    auto x = in<float>("x", n + 1);
    auto y = out<float>("y", T);
    launch({dim3(1), dim3(T)}, twice, x, y, n);
  }
}
CASE(split) {
  for (int n : {0, 31, 64, 96, 200}) {
    auto x = in<float>("x", 3 * n + 1);
    auto y = out<float>("y", 2 * 3 * T);
    launch({dim3(2), dim3(T)}, parts, x, y, n, 3);
  }
}
CASE(odd) {
  for (int n : {0, 23, 24, 71, 72, 100}) {
    auto x = in<float>("x", n + 1);
    auto y = out<float>("y", 24);
    launch({dim3(1), dim3(24)}, by_24, x, y, n);
  }
}
CASE(grouped) {
  for (int n : {0, 31, 32, 100}) {
    auto x = in<float>("x", W * n + 1);
    auto y = out<float>("y", T * W);
    launch({dim3(1), dim3(T * W)}, groups, x, y, n);
  }
}
CASE(asked) {
  for (int n : {0, 31, 32, 64, 100, 160}) {
    auto x = in<float>("x", 6 * T);
    auto y = out<float>("y", 2 * T);
    launch({dim3(2), dim3(T)}, calls, x, y, n, Part{{n, 60}, 0});
  }
}
CASE(counted) {
  for (int n : {0, 31, 32, 64, 100, 130}) {
    auto x = in<float>("x", n + 64);
    auto at = in<int>("at", 256);
    auto y = out<float>("y", 256);
    launch({dim3(1), dim3(256)}, counters, x, at, y, n);
  }
}
#endif
