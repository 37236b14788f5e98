// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__device__ void f(const float *__restrict__ x, float *xs, float *zs, int n, float &s) {
  int t = threadIdx.x;
  for (int k = 0; k < n; k += 256) {
    xs[t] = x[k + t];
    __syncthreads();
    zs[t] = x[k + t + 1];             // the only call binds two arrays
    __syncthreads();
    s += xs[t ^ 1] * zs[t ^ 1];
    __syncthreads();
  }
}
__global__ void g(const float *__restrict__ x, float *y, int n) {
  __shared__ float xs[256], zs[256];
  float s = 0;
  f(x, xs, zs, n, s);
  y[threadIdx.x] = s;
}
