// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates whose tile is an object of a class template, in which another
// argument may stand for another type: no register has a type that fits all
// instances. The legal ones are in Kernels/tiles_of_templates.cu.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_80 %s 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=' stages of'

constexpr int T = 32;

// Another specialisation has another type.
template <int N> struct Special {
  float v[N];
};
template <> struct Special<7> {
  double v[7];
};
template <int N>
__global__ void special(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Special<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.v[threadIdx.x] = x[t + threadIdx.x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += tile.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void special<T>(const float *, float *, int);

// So has a part of them.
template <int N, bool Wide> struct Partly {
  float v[N];
};
template <int N> struct Partly<N, true> {
  double v[N];
};
template <int N>
__global__ void partly(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Partly<N, (N > 64)> tile;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.v[threadIdx.x] = x[t + threadIdx.x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += tile.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void partly<T>(const float *, float *, int);

// A choice between two classes, neither of which is a template.
template <bool Wide, typename A, typename B> struct Choice {
  using Type = A;
};
template <typename A, typename B> struct Choice<false, A, B> {
  using Type = B;
};
struct Floats {
  float v[T];
};
struct Doubles {
  double v[T];
};
template <int N>
__global__ void choice(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ typename Choice<(N > 64), Doubles, Floats>::Type tile;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.v[threadIdx.x] = x[t + threadIdx.x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += tile.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void choice<T>(const float *, float *, int);

// The template is an argument.
template <int N> struct OfFloats {
  float v[N];
};
template <template <int> class Tile, int N>
__global__ void argument(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Tile<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.v[threadIdx.x] = x[t + threadIdx.x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += tile.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void argument<OfFloats, T>(const float *, float *, int);

// A part of the object has a class of its own.
template <int N> struct Whole {
  typename Choice<(N > 64), Doubles, Floats>::Type part;
};
template <int N>
__global__ void parts(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Whole<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.part.v[threadIdx.x] = x[t + threadIdx.x] + 1;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += tile.part.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void parts<T>(const float *, float *, int);

// Another instance calls the other overload.
struct TwoKinds {
  int b[T];
  float a[T];
  __device__ float &at(int i) { return a[i]; }
  __device__ int &at(unsigned i) { return b[i]; }
};
template <typename Index>
__global__ void overloads(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ TwoKinds tile;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.at(Index(threadIdx.x)) = x[t + threadIdx.x] * 3;
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += tile.at(Index(j));
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void overloads<unsigned>(const float *, float *, int);

// The part's class is an argument.
struct Line {
  float v[T];
};
template <int N, typename P> struct Holds {
  P part;
  float rest[N];
};
template <int N>
__global__ void part_by_argument(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Holds<N, Line> tile;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.part.v[threadIdx.x] = x[t + threadIdx.x] * 3;
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += tile.part.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void part_by_argument<T>(const float *, float *, int);

// The part is another one in a specialisation.
template <int N> struct Varies {
  Line part;
  float rest[N];
};
template <> struct Varies<7> {
  struct {
    double v[T];
  } part;
};
template <int N>
__global__ void part_of_specialised(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Varies<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.part.v[threadIdx.x] = x[t + threadIdx.x] * 3;
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += tile.part.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void part_of_specialised<T>(const float *, float *, int);

// The part's class has a specialisation itself.
template <int N> struct Within {
  Special<N> part;
};
template <int N>
__global__ void part_is_specialised(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Within<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.part.v[threadIdx.x] = x[t + threadIdx.x] * 3;
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += tile.part.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void part_is_specialised<T>(const float *, float *, int);

// A name in the class stands for it.
template <int N> struct Named {
  using Part = Line;
  Part part;
  float rest[N];
};
template <int N>
__global__ void part_by_name(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Named<N> tile;
  float sum = 0;
  for (int t = 0; t < n; t += T) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    tile.part.v[threadIdx.x] = x[t + threadIdx.x] * 3;
    __syncthreads();
    for (int j = 0; j < T; ++j) sum += tile.part.v[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void part_by_name<T>(const float *, float *, int);
