// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that have another type in another instance: no text is right for all.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2>&1 | FileCheck %s --implicit-check-not='remark: pipelined'

// A specialisation of the nested class alone.
template <int N> struct Sum {
  struct Storage {
    float x[N];
  };
  static __device__ void load(Storage &s, const float *x, int k) {
    s.x[threadIdx.x] = x[k + threadIdx.x] * 2.5f;
  }
};
template <> struct Sum<32>::Storage {
  double x[32];
};
template <int N> __global__ void nested(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ typename Sum<N>::Storage s;
  float sum = 0;
  // CHECK: types-of-instances.cu:[[#@LINE+1]]:{{.*}}: warning: not pipelined
  for (int k = 0; k < n; k += N) {
    Sum<N>::load(s, x, k);
    __syncthreads();
    for (int i = 0; i < N; ++i) sum += s.x[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// What a parameter of the template stands for.
struct Narrow { float x[32]; };
struct Wide { double x[32]; };
template <typename S> __global__ void given(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ S s;
  float sum = 0;
  // CHECK: types-of-instances.cu:[[#@LINE+1]]:{{.*}}: warning: not pipelined
  for (int k = 0; k < n; k += 32) {
    s.x[threadIdx.x] = x[k + threadIdx.x] * 2.5f;
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += s.x[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A class that is a member of another one for each instance.
struct OfFloat { struct Element { float v; }; };
struct OfDouble { struct Element { double v; }; };
template <typename T> struct Tile { typename T::Element x[32]; };
template <typename T> __global__ void member_class(const typename T::Element *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Tile<T> s;
  float sum = 0;
  // CHECK: types-of-instances.cu:[[#@LINE+1]]:{{.*}}: warning: not pipelined
  for (int k = 0; k < n; k += 32) {
    s.x[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += s.x[i].v;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A class that a parameter of the template has.
struct HasFloats { struct Type { float x[32]; }; };
struct HasDoubles { struct Type { double x[32]; }; };
template <typename H> __global__ void chosen(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ typename H::Type s;
  float sum = 0;
  // CHECK: types-of-instances.cu:[[#@LINE+1]]:{{.*}}: warning: not pipelined
  for (int k = 0; k < n; k += 32) {
    s.x[threadIdx.x] = x[k + threadIdx.x] * 2.5f;
    __syncthreads();
    for (int i = 0; i < 32; ++i) sum += s.x[i];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void launch(const float *x, float *y, int n, const OfFloat::Element *f, const OfDouble::Element *d) {
  chosen<HasFloats><<<1, 32>>>(x, y, n);
  nested<16><<<1, 16>>>(x, y, n);
  nested<32><<<1, 32>>>(x, y, n);
  given<Narrow><<<1, 32>>>(x, y, n);
  given<Wide><<<1, 32>>>(x, y, n);
  member_class<OfFloat><<<1, 32>>>(f, y, n);
  member_class<OfDouble><<<1, 32>>>(d, y, n);
}
