// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are refused since pointers may be the same; the fixes differ.
constexpr int T = 64;

__global__ void sum1(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  #pragma unroll 1
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
}
__global__ void sum2(double *y, double *x, int n) {
  __shared__ double xs[T];
  double sum = 0;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
}
__global__ void sum3(float *x, float (*y)[T], int n);
__global__ void sum3(float *x, float (*y)[T], int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 / T][threadIdx.x] = sum;
    __syncthreads();
  }
}
#define OUT(T) T *y
__global__ void sum4(const float x[], OUT(float), int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    sum += xs[threadIdx.x ^ 1];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
}
