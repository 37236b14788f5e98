// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements whose class has a constructor of its own wait in registers, where
// that does nothing but give members values.
// REQUIRES: executor
// RUN: %variants --at-least=7 --option=--allow-occupancy-drop %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2> %t.err
// RUN: not grep 'not pipelined' %t.err
// RUN: grep -c ': remark: pipelined .* 2 stages' %t.err | grep -x 7

constexpr int T = 16;

// A number of two parts, as people write it.
template <class F> struct complex {
  F re, im;
  __host__ __device__ constexpr complex(F r = F(), F i = F())
      : re(r), im(i) {}
  __device__ complex operator*(const complex &o) const {
    return complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __device__ complex &operator+=(const complex &o) {
    re += o.re;
    im += o.im;
    return *this;
  }
};
struct Cleared {
  float x, y, z;
  __device__ Cleared() { x = y = z = 0.0f; }
};
struct Nothing {
  unsigned bits;
  short more[3];
  __device__ Nothing() {}
};
struct Of : Cleared {
  complex<float> at = {1.0f, -1.0f};
  int n{3};
};
enum class Kind { One = 1, Two };
struct Named {
  Kind kind;
  float value;
  const float *where;
  __device__ Named() : kind(Kind::Two), value(-2.5f + 1), where(nullptr) {}
  __device__ Named(Kind k, float v) : kind(k), value(v), where(nullptr) {}
};

template <class E>
__global__ void __launch_bounds__(T *T)
product(const E *__restrict__ A, const E *__restrict__ B, E *__restrict__ C,
        int K) {
  __shared__ __align__(16) unsigned char raw[2 * T * T * sizeof(E)];
  E *As = reinterpret_cast<E *>(raw), *Bs = As + T * T;
  int tx = threadIdx.x, ty = threadIdx.y;
  E acc = E(0);
  for (int k = 0; k < K; k += T) {
    As[ty * T + tx] = A[ty * K + k + tx];
    Bs[ty * T + tx] = B[(k + ty) * T + tx];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += As[ty * T + j] * Bs[j * T + tx];
    __syncthreads();
  }
  C[ty * T + tx] = acc;
}

// Zero where there is nothing.
template <class E>
__global__ void __launch_bounds__(T *T)
guarded(const E *__restrict__ A, const E *__restrict__ B, E *__restrict__ C,
        int M, int K) {
  extern __shared__ unsigned char bytes[];
  E *As = reinterpret_cast<E *>(bytes), *Bs = As + T * T;
  int tx = threadIdx.x, ty = threadIdx.y;
  E acc = E(0);
  for (int k = 0; k < K; k += T) {
    As[ty * T + tx] = ty < M && k + tx < K ? A[ty * K + k + tx] : E(0);
    if (k + ty < K)
      Bs[ty * T + tx] = B[(k + ty) * T + tx];
    else
      Bs[ty * T + tx] = E(0);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += As[ty * T + j] * Bs[j * T + tx];
    __syncthreads();
  }
  C[ty * T + tx] = acc;
}

// Made of two loads.
__global__ void __launch_bounds__(64)
made(const float *__restrict__ re, const float *__restrict__ im,
     float *__restrict__ y, int n) {
  __shared__ float2 raw[64];
  auto *s = reinterpret_cast<complex<float> *>(raw);
  complex<float> acc;
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 64) {
    s[t] = complex<float>(re[k + t], im[k + t]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += s[j] * s[(j + t) % 64];
    __syncthreads();
  }
  y[t] = acc.re + acc.im;
}

#define SUM(name, E)                                                           \
  __global__ void __launch_bounds__(64)                                        \
      name(const E *__restrict__ x, float *__restrict__ y, int n)
SUM(cleared, Cleared) {
  __shared__ float raw[64 * 3];
  auto *s = reinterpret_cast<Cleared *>(raw);
  float acc = 0;
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 64) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += s[j].x * s[j].y - s[j].z * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
SUM(nothing, Nothing) {
  __shared__ unsigned raw[64 * 3];
  auto *s = reinterpret_cast<Nothing *>(raw);
  float acc = 0;
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 64) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += float(s[j].bits & 255) - float(s[j].more[1]) * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
SUM(derived, Of) {
  __shared__ int raw[64 * sizeof(Of) / 4];
  auto *s = reinterpret_cast<Of *>(raw);
  float acc = 0;
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 64) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += s[j].x * s[j].at.im - float(s[j].n % 7) * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
SUM(named, float) {
  __shared__ unsigned long long raw[64 * sizeof(Named) / 8];
  auto *s = reinterpret_cast<Named *>(raw);
  float acc = 0;
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 64) {
    s[t] = Named(k % 128 ? Kind::One : Kind::Two, x[k + t]);
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      acc += s[j].kind == Kind::One ? s[j].value : -s[j].value * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}

void run_guarded(const complex<float> *a, const complex<float> *b,
                 complex<float> *c, int m, int k) {
  guarded<complex<float>>
      <<<1, dim3(T, T), 2 * T * T * sizeof(complex<float>)>>>(a, b, c, m, k);
}
template __global__ void product<complex<float>>(const complex<float> *,
                                                 const complex<float> *,
                                                 complex<float> *, int);
template __global__ void product<complex<double>>(const complex<double> *,
                                                  const complex<double> *,
                                                  complex<double> *, int);

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class F> static void products() {
  using E = complex<F>;
  for (int K : multiples(T)) {
    auto A = in<F>("A", 2 * T * K), B = in<F>("B", 2 * K * T);
    auto C = out<F>("C", 2 * T * T);
    launch({dim3(1), dim3(T, T)}, product<E>, A.template as<E>(),
           B.template as<E>(), C.template as<E>(), K);
  }
}
CASE(product) {
  products<float>();
  products<double>();
}
CASE(guarded) {
  using E = complex<float>;
  for (int K : sizes(T)) {
    auto A = in<float>("A", 2 * T * K), B = in<float>("B", 2 * K * T);
    auto C = out<float>("C", 2 * T * T);
    run_guarded(A.as<E>(), B.as<E>(), C.as<E>(), 11, K);
  }
}
CASE(made) {
  for (int n : multiples(64)) {
    auto re = in<float>("re", n), im = in<float>("im", n);
    auto y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, made, re, im, y, n);
  }
}
template <class E, class Kernel> static void sums(Kernel kernel) {
  for (int n : multiples(64)) {
    auto x = in<float>("x", sizeof(E) / 4 * n), y = out<float>("y", 64);
    launch({dim3(1), dim3(64)}, kernel, x.as<E>(), y, n);
  }
}
CASE(cleared) { sums<Cleared>(cleared); }
CASE(nothing) { sums<Nothing>(nothing); }
CASE(derived) { sums<Of>(derived); }
CASE(named) { sums<float>(named); }
#endif
