// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Member functions that fill the tile: their clones are members of the class as
// well.
// REQUIRES: executor
// RUN: %variants --at-least=8 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: not grep 'not pipelined' %t.err

constexpr int T = 16;

// Static ones; what they use is private.
class Copy {
  static constexpr int Rows = 16;
  static __device__ int row() { return threadIdx.y; }

public:
  static __device__ void tile(float (&s)[Rows][T], const float *p, int ld,
                              int k) {
    s[row()][threadIdx.x] = p[row() * ld + k + threadIdx.x];
  }
  /// Through registers in any case, and with an argument by default.
  static __device__ void twice(float (&s)[T][T], const float *p, int ld,
                               float by = 2) {
    for (int r = threadIdx.y; r < Rows; r += 16)
      s[r][threadIdx.x] = by * p[r * ld + threadIdx.x];
  }
};
__global__ void __launch_bounds__(T *T)
    of_class(const float *__restrict__ A, const float *__restrict__ B,
             float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    Copy::tile(As, A, K, k);
    Copy::twice(Bs, B + k * T, T);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[ty][j] * Bs[j][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

// Of a class template, which the kernel's own parameters choose.
namespace tiles {
template <class E, int N> struct G2S {
  using Row = E[N];
  static __device__ void copy(Row *s, const E *p, int ld) {
    for (int i = threadIdx.y; i < N; i += 4)
      s[i][threadIdx.x] = p[i * ld + threadIdx.x];
  }
  template <int Step>
  static __device__ void scaled(E (&s)[N][N], const E *p, int ld) {
    for (int i = threadIdx.y; i < N; i += Step)
      s[i][threadIdx.x] = p[i * ld + threadIdx.x] * E(3);
  }
};
} // namespace tiles
template <class E>
__global__ void __launch_bounds__(64)
    of_template(const E *__restrict__ A, const E *__restrict__ B,
                E *__restrict__ C, int K) {
  __shared__ E As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  E sum = 0;
  for (int k = 0; k < K; k += T) {
    tiles::G2S<E, T>::copy(As, A + k, K);
    tiles::G2S<E, T>::template scaled<4>(Bs, B + k * T, T);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[ty][j] * Bs[j][tx] + As[ty + 8][j];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}
template __global__ void of_template(const float *__restrict__,
                                     const float *__restrict__,
                                     float *__restrict__, int);
template __global__ void of_template(const int *__restrict__,
                                     const int *__restrict__, int *__restrict__,
                                     int);

// The same without a template around the loop; called by an object's name.
__global__ void __launch_bounds__(64)
    by_object(const float *__restrict__ A, const float *__restrict__ B,
              float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  tiles::G2S<float, T> copy;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    copy.copy(As, A + k, K);
    copy.scaled<4>(Bs, B + k * T, T);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[ty][j] * Bs[j][tx] + As[ty + 8][j];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

// From a member function of the class, in front of its definition.
struct Product {
  static __device__ float of(float (&As)[T][T], float (&Bs)[T][T],
                             const float *A, const float *B, int K) {
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int k = 0; k < K; k += T) {
      load(As, A + k, K);
      load(Bs, B + k * T, T);
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += As[ty][j] * Bs[j][tx];
      __syncthreads();
    }
    return sum;
  }
  static __device__ void load(float (&s)[T][T], const float *p, int ld) {
    s[threadIdx.y][threadIdx.x] = p[threadIdx.y * ld + threadIdx.x];
  }
};
__global__ void __launch_bounds__(T *T)
    of_own_class(const float *__restrict__ A, const float *__restrict__ B,
                 float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  C[threadIdx.y * T + threadIdx.x] = Product::of(As, Bs, A, B, K);
}

// Of an object: what it holds is the same for all tiles.
struct Loader {
  const float *p;
  int ld;
  __device__ void load(float (&s)[T][T], int k) const {
    s[threadIdx.y][threadIdx.x] = p[threadIdx.y * ld + k + threadIdx.x];
  }
};
__global__ void __launch_bounds__(T *T)
    of_objects(const float *__restrict__ A, const float *__restrict__ B,
               float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  Loader a{A, K};
  const Loader b = {B, T};
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    a.load(As, k);
    b.load(Bs, k * T);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[ty][j] * Bs[j][tx];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

// Call operators; the parts of a parameter; a template of a template.
template <class E, int N> class Rows {
  const E *p;
  int ld, rows;

public:
  __host__ __device__ Rows(const E *p, int ld, int rows)
      : p(p), ld(ld), rows(rows) {}
  __device__ void operator()(E (&s)[N][N], int k, E by = 1) const {
    for (int i = threadIdx.y; i < N; i += 4)
      s[i][threadIdx.x] =
          k + i < rows ? p[(k + i) * ld + threadIdx.x] * by : E(0);
  }
  template <int Step> __device__ void copy(E (&s)[N][N], int k) const {
    for (int i = threadIdx.y; i < N; i += Step)
      s[i][threadIdx.x] = p[i * ld + k + threadIdx.x];
  }
};
template <class E>
__global__ void __launch_bounds__(64)
    of_parameters(Rows<E, T> a, const Rows<E, T> b, E *__restrict__ C, int K) {
  __shared__ E As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  E sum = 0;
  for (int k = 0; k < K; k += T) {
    a.template copy<4>(As, k);
    b(Bs, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[ty][j] * Bs[j][tx] + As[ty + 8][j];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}
template __global__ void of_parameters(Rows<float, T>, const Rows<float, T>,
                                       float *__restrict__, int);
template __global__ void of_parameters(Rows<int, T>, const Rows<int, T>,
                                       int *__restrict__, int);
struct Operands {
  Rows<float, T> a, b;
};
__global__ void __launch_bounds__(64)
    of_members(Operands in, float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  const Rows<float, T> &b = in.b;
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    in.a.copy<4>(As, k);
    b(Bs, k, 0.5f);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += As[ty][j] * Bs[j][tx] + As[ty + 8][j];
    __syncthreads();
  }
  C[ty * T + tx] = sum;
}

// A functor of whatever type, given by reference; the loop's own object.
template <class F>
__device__ float by_functor(float (&xs)[T][T], const F &load, int K) {
  float sum = 0;
  for (int k = 0; k < K; k += T) {
    load(xs, k);
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[threadIdx.y][j] * xs[j][threadIdx.x];
    __syncthreads();
  }
  return sum;
}
__global__ void __launch_bounds__(64)
    of_functor(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float xs[T][T];
  Rows<float, T> rows(A, T, K);
  C[threadIdx.y * T + threadIdx.x] = by_functor(xs, rows, K);
}
struct Dot {
  const float *a;
  int ld;
  float by;
  __device__ void load(float (&s)[T][T], int k) const {
    s[threadIdx.y][threadIdx.x] = a[threadIdx.y * ld + k + threadIdx.x];
  }
  __device__ void scaled(float (&s)[T][T], const float *p) const {
    s[threadIdx.y][threadIdx.x] = by * p[threadIdx.y * T + threadIdx.x];
  }
  __device__ float run(float (&As)[T][T], float (&Bs)[T][T], const float *B,
                       int K) {
    float sum = 0;
    for (int k = 0; k < K; k += T) {
      load(As, k);
      this->scaled(Bs, B + k * T);
      __syncthreads();
      for (int j = 0; j < T; ++j)
        sum += As[threadIdx.y][j] * Bs[j][threadIdx.x];
      __syncthreads();
    }
    return sum;
  }
};
__global__ void __launch_bounds__(T *T)
    of_own_object(const float *__restrict__ A, const float *__restrict__ B,
                  float *__restrict__ C, int K) {
  __shared__ float As[T][T], Bs[T][T];
  Dot dot{A, K, 2};
  C[threadIdx.y * T + threadIdx.x] = dot.run(As, Bs, B, K);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
template <class E, class Kernel> static void run(Kernel kernel, int rows) {
  for (int K : multiples(T)) {
    auto A = in<E>("A", T * K), B = in<E>("B", T * K);
    auto C = out<E>("C", T * T);
    launch({dim3(1), dim3(T, rows)}, kernel, A, B, C, K);
  }
}
CASE(of_class) { run<float>(of_class, T); }
CASE(of_floats) { run<float>(of_template<float>, 4); }
CASE(of_ints) { run<int>(of_template<int>, 4); }
CASE(by_object) { run<float>(by_object, 4); }
CASE(of_own_class) { run<float>(of_own_class, T); }
CASE(of_objects) { run<float>(of_objects, T); }
CASE(of_own_object) { run<float>(of_own_object, T); }
template <class E> static void run_rows() {
  for (int K : multiples(T)) {
    auto A = in<E>("A", T * K), B = in<E>("B", T * K);
    auto C = out<E>("C", T * T);
    launch({dim3(1), dim3(T, 4)}, of_parameters<E>, Rows<E, T>(A, K, T),
           Rows<E, T>(B, T, K - 1), C, K);
  }
}
CASE(of_floats_given) { run_rows<float>(); }
CASE(of_ints_given) { run_rows<int>(); }
CASE(of_members) {
  for (int K : multiples(T)) {
    auto A = in<float>("A", T * K), B = in<float>("B", T * K);
    auto C = out<float>("C", T * T);
    launch({dim3(1), dim3(T, 4)}, of_members,
           Operands{{A, K, T}, {B, T, K - 1}}, C, K);
  }
}
CASE(of_functor) {
  for (int K : multiples(T)) {
    auto A = in<float>("A", T * K);
    auto C = out<float>("C", T * 4);
    launch({dim3(1), dim3(T, 4)}, of_functor, A, C, K);
  }
}
#endif
