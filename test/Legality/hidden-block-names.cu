// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic shared memory that a helper gives out, or that the kernel declares, and
// that code without a call of its own in the body knows by another name: what
// constructors begin with, destructors, default arguments, ranges. One buffer.
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --allow-occupancy-drop %s 2>&1 | FileCheck %s --implicit-check-not=stages

constexpr int T = 64;
template <class E> __device__ E *shp() {
  extern __shared__ __align__(16) unsigned char raw[];
  return reinterpret_cast<E *>(raw);
}
struct Box {
  float *p;
  __device__ Box() : p(shp<float>()) {}
  __device__ float &operator[](int i) const { return p[i]; }
};
struct Member {
  float *p = shp<float>();
  __device__ float &operator[](int i) const { return p[i]; }
};
struct Dies {
  float *out;
  __device__ ~Dies() { *out += shp<float>()[threadIdx.x ^ 1]; }
};
struct Heir : Box {
  using Box::Box;
};
struct Range {
  __device__ float *begin() const { return shp<float>(); }
  __device__ float *end() const { return shp<float>() + T; }
};
__device__ float by_default(int j, float *p = shp<float>()) { return p[j]; }

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) by_constructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  Box s;
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
void run_by_constructor(const float *x, float *y, int n) { by_constructor<<<1, T, T * 4>>>(x, y, n); }

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) by_member(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  Member s;
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
void run_by_member(const float *x, float *y, int n) { by_member<<<1, T, T * 4>>>(x, y, n); }

// CHECK: [[#@LINE+6]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) beside_a_view(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  float *s = shp<float>();
  Box b;
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += b[j] * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
void run_beside_a_view(const float *x, float *y, int n) { beside_a_view<<<1, T, T * 4>>>(x, y, n); }

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) by_destructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  float *s = shp<float>();
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
  Dies last{&y[t]};
}
void run_by_destructor(const float *x, float *y, int n) { by_destructor<<<1, T, T * 4>>>(x, y, n); }

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) by_default_argument(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  float *s = shp<float>();
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += by_default(j) * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
void run_by_default_argument(const float *x, float *y, int n) { by_default_argument<<<1, T, T * 4>>>(x, y, n); }

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) by_inherited_constructor(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  float *s = shp<float>();
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc + Heir()[t ^ 1];
}
void run_by_inherited_constructor(const float *x, float *y, int n) { by_inherited_constructor<<<1, T, T * 4>>>(x, y, n); }

// CHECK: [[#@LINE+5]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) by_range(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  float *s = shp<float>();
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += s[j] * float(j ^ t);
    __syncthreads();
  }
  for (float v : Range())
    acc += v;
  y[t] = acc;
}
void run_by_range(const float *x, float *y, int n) { by_range<<<1, T, T * 4>>>(x, y, n); }

// CHECK: [[#@LINE+7]]:3: remark: pipelined K-loop: single buffer
__global__ void __launch_bounds__(T) own_block(const float *__restrict__ x, float *__restrict__ y, int n) {
  int t = threadIdx.x;
  float acc = 0;
  extern __shared__ __align__(16) float own[];
  float *s = own;
  Box b;
  for (int k = 0; k < n; k += T) {
    s[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      acc += b[j] * float(j ^ t);
    __syncthreads();
  }
  y[t] = acc;
}
void run_own_block(const float *x, float *y, int n) { own_block<<<1, T, T * 4>>>(x, y, n); }
