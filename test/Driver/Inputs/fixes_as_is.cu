// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose type something else wants as it is, or that do more with the
// pointer than load: it is declared __restrict__, but not const.
constexpr int T = 64;
__global__ void named(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
}
void (*chosen)(float *, float *, int) = named;
__global__ void type_of(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  decltype(*x) first = y[0];
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
  first = sum;
}
__global__ void two(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
}
__global__ void two(const float *x, float *y, long n) {}
template <typename E> __global__ void any(E *x, E *y, int n) {
  __shared__ E xs[T];
  E sum = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
}
template __global__ void any<float>(float *, float *, int);
__global__ void stores(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
  x[threadIdx.x] = sum;
}
__global__ void hands_on(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  float *first = x;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
  *first = sum;
}
__global__ void may(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  const float *first = x;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
  y[n] = *(first + 1) + *(x + 2) + *reinterpret_cast<const int *>(x);
}
