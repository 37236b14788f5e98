// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Templates whose instances are in several files.
#pragma once
constexpr int T = 64;
template <bool Feedback>
__global__ void __launch_bounds__(T) k(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    if constexpr (Feedback)
      x[i + T + threadIdx.x] = sum;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template <int Factor>
__global__ void __launch_bounds__(T)
plain(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = Factor * x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
