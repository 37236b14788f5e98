// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles whose class makes the type of its elements otherwise than of what its
// declaration gives it: no other instance is known to have it.
//
// RUN: %kpipe rewrite --dry-run --arch=sm_86 --variant=ldg %s 2>&1 | FileCheck %s --implicit-check-not='pipelined K-loop'

constexpr int N = 32;

template <class V> struct Wider { using type = V; };
template <> struct Wider<float> { using type = double; };
template <class V> struct Made { typename Wider<V>::type all[N]; };
template <class V, class E = V> struct Defaulted { E all[N]; };
template <class V, int M> struct Partial { V all[M]; };
template <class V> struct Partial<V *, N> { V all[N]; };

template <class V> struct Special { V all[N]; };
template <> struct Special<double> { float all[N]; };
template <class V> struct Chosen {
  V all[N];
  float other[N];
  __device__ V &at(int i) { return all[i]; }
  __device__ float &at(double *i) { return other[N - 1]; }
};
template <class V> struct First { V all[N]; };
template <class V> struct Second { float all[N]; };

template <class T>
__global__ void made(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Made<T> s;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    s.all[threadIdx.x] = x[t + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += s.all[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <class T>
__global__ void defaulted(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Defaulted<T> s;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    s.all[threadIdx.x] = x[t + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += s.all[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <class T>
__global__ void partial(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Partial<T *, N> s;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    s.all[threadIdx.x] = x[t + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += s.all[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// Another instance may have another class, call another overload, or mean another
// template.
template <class T>
__global__ void special(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Special<T> s;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    s.all[threadIdx.x] = x[t + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += s.all[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <class T>
__global__ void overload(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Chosen<T> s;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    s.at(threadIdx.x) = x[t + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += s.all[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template <template <class> class Of, class T>
__global__ void templates(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ Of<T> s;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    s.all[threadIdx.x] = x[t + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += s.all[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

// A pack has as many types as it likes.
template <class... U>
__global__ void packs(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ First<U...> s;
  float sum = 0;
  for (int t = 0; t < n; t += N) {
    // CHECK: [[#@LINE-1]]:3: warning: not pipelined: values of '{{[a-z_]+}}' wait in registers, and what stands there spells no type for them that means '{{[a-z_<, 0-9>]+}}' in every instance
    s.all[threadIdx.x] = x[t + threadIdx.x] * 2;
    __syncthreads();
    for (int j = 0; j < N; ++j) sum += s.all[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void run(const float *x, float *y, int n) {
  made<float><<<1, N>>>(x, y, n);
  defaulted<float><<<1, N>>>(x, y, n);
  partial<float><<<1, N>>>(x, y, n);
  special<float><<<1, N>>>(x, y, n);
  overload<float><<<1, N>>>(x, y, n);
  templates<First, float><<<1, N>>>(x, y, n);
  packs<float><<<1, N>>>(x, y, n);
}
