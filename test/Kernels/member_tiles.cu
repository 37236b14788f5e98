// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop stands in a member function that takes its tiles as parameters: the
// arrays of its callers get the stages, as for any function whose calls are all
// seen. And tiles that member functions compute with.
// REQUIRES: executor
// RUN: %variants --at-least=10 %s
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=cp-async %s 2> %t.err
// RUN: grep -c ': remark: pipelined K-loop: 2 stages of' %t.err | grep -x 10
// RUN: not grep -E 'not pipelined|single buffer' %t.err

constexpr int T = 16;

// Members that say where the tile comes from; arrays by reference.
struct Source {
  const float *from;
  int ld;
  __device__ float products(float (&As)[T][T], float (&Bs)[T][T],
                            const float *B, int K) const {
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += T) {
      As[ty][tx] = from[ty * ld + k0 + tx];
      Bs[ty][tx] = B[(k0 + ty) * T + tx];
      __syncthreads();
      for (int k = 0; k < T; ++k)
        sum += As[ty][k] * Bs[k][tx];
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T *T)
    by_array(const float *__restrict__ A, const float *__restrict__ B,
             float *__restrict__ C, int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  Source source{A, K};
  C[threadIdx.y * T + threadIdx.x] = source.products(As, Bs, B, K);
}

// A call operator, by pointer; the object is an operand of the call too.
struct Sum {
  float scale;
  __device__ float operator()(float *xs, const float *x, int n) const {
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
      xs[t] = x[i + t];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum += xs[j] * scale * (t ^ j);
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(64)
    functor(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  Sum sum{0.5f};
  y[threadIdx.x] = sum(xs, x, n);
}
__global__ void __launch_bounds__(64)
    functor_by_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[64];
  y[threadIdx.x] = Sum{2.0f}.operator()(tile, x, n);
}

// A static member function, called by its class and by an object.
struct Static {
  static __device__ float sum(float *xs, const float *x, int n);
};
__device__ float Static::sum(float *xs, const float *x, int n) {
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += xs[j] * (t ^ j);
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(64)
    of_class(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  Static s;
  y[threadIdx.x] = Static::sum(xs, x, n) - s.sum(xs, x, n / 2);
}

// Accumulators in the object, a member of a base, defined outside of the class.
struct Base {
  float acc[2];
  __device__ void run(float (&xs)[64], const float *x, int n);
};
__device__ void Base::run(float (&xs)[64], const float *x, int n) {
  int t = threadIdx.x;
  for (int i = 0; i < n; i += 64) {
    xs[t] = x[i + t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc[j & 1] += xs[j ^ t];
    __syncthreads();
  }
}
struct Derived : Base {
  float more;
};
__global__ void __launch_bounds__(64)
    inherited(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  Derived d{};
  d.run(xs, x, n);
  d.run(xs, x + 1, n);
  y[threadIdx.x] = d.acc[0] - d.acc[1] + d.more;
}

// Templates: of a class, and of a member.
template <typename E, int N> struct Tiles {
  const E *x;
  __device__ explicit Tiles(const E *x) : x(x) {}
  static __device__ E in_class(E (&xs)[N], const E *x, int n) {
    E sum = 0;
    for (int i = 0; i < n; i += N) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < N; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum;
  }
  template <int Shift> __device__ E in_member(E (&xs)[N], int n) const {
    E sum = 0;
    for (int i = 0; i < n; i += N) {
      xs[threadIdx.x] = x[i + Shift + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < N; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(64)
    of_templates(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64], zs[64];
  Tiles<float, 64> tiles(x);
  float sum = Tiles<float, 64>::in_class(zs, x, n);
  sum -= tiles.in_member<3>(xs, n);
  y[threadIdx.x] = sum + tiles.template in_member<3>(xs, n / 2);
}

// Overloads, and an argument by default.
struct Overloads {
  __device__ float run(float *xs, const float *x, int n, int step = 64) {
    float sum = 0;
    for (int i = 0; i < n; i += step) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum;
  }
  __device__ float run(float *xs, float shift) { return xs ? shift : 0; }
};
__global__ void __launch_bounds__(64)
    overloads(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[64];
  Overloads o;
  y[threadIdx.x] = o.run(xs, x, n) + o.run(nullptr, 2.0f);
}

// The object is the kernel's parameter; a subscript operator that runs a loop.
struct Job {
  const float *x;
  int n;
  __device__ float operator[](float (&xs)[64]) const {
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        sum += xs[j] * (threadIdx.x ^ j);
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(64) given(const Job job, float *y) {
  __shared__ float xs[64];
  y[threadIdx.x] = job[xs];
}

// A member function between the kernel and the loop's.
class Outer {
  Sum inner;
  float first;
  __device__ float one(float *xs, const float *x, int n) {
    for (int i = 0; i < n; i += 64) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
      for (int j = 0; j < 64; ++j)
        first += xs[j] * inner.scale * (threadIdx.x ^ j);
      __syncthreads();
    }
    return first;
  }

public:
  __device__ explicit Outer(float scale) : inner{scale}, first(1) {}
  __device__ float run(const float *x, int n) {
    __shared__ float xs[64];
    return this->one(xs, x, n);
  }
};
__global__ void __launch_bounds__(64)
    nested(const float *__restrict__ x, float *__restrict__ y, int n) {
  Outer outer(0.25f);
  y[threadIdx.x] = outer.run(x, n);
}

// The loop is the kernel's, and member functions compute with its tiles.
struct Multiply {
  float acc[2];
  __device__ void run(const float *As, const float (&Bs)[T][T]) {
    for (int k = 0; k < T; ++k)
      acc[k & 1] += As[threadIdx.y * T + k] * Bs[k][threadIdx.x];
  }
  __device__ float operator()(const float *As, int at) const {
    return As[at] * acc[0];
  }
};
__global__ void __launch_bounds__(T *T)
    computes(const float *__restrict__ A, const float *__restrict__ B,
             float *__restrict__ C, int K) {
  __shared__ float As[T * T];
  __shared__ float Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  Multiply multiply{};
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty * T + tx] = A[ty * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * T + tx];
    __syncthreads();
    multiply.run(As, Bs);
    sum += multiply(As, tx * T + ty);
    __syncthreads();
  }
  C[ty * T + tx] = multiply.acc[0] + multiply.acc[1] + sum;
}

#ifdef KPIPE_HARNESS
#include "harness.h"
#define PRODUCTS(KERNEL)                                                       \
  CASE(KERNEL) {                                                               \
    for (int k : multiples(T)) {                                               \
      auto a = in<float>("A", T * k), b = in<float>("B", k * T);               \
      auto c = out<float>("C", T * T);                                         \
      launch({1, dim3(T, T)}, KERNEL, a, b, c, k);                             \
    }                                                                          \
  }
#define SUMS(KERNEL)                                                           \
  CASE(KERNEL) {                                                               \
    for (int n : multiples(128)) {                                             \
      auto x = in<float>("x", n + 64), y = out<float>("y", 64);                \
      launch({1, 64}, KERNEL, x, y, n);                                        \
    }                                                                          \
  }
PRODUCTS(by_array)
SUMS(functor)
SUMS(functor_by_name)
SUMS(of_class)
SUMS(inherited)
SUMS(of_templates)
SUMS(overloads)
CASE(given) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", n), y = out<float>("y", 64);
    launch({1, 64}, given, Job{x, n}, y);
  }
}
SUMS(nested)
PRODUCTS(computes)
#endif
