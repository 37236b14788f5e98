// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a header that two units instantiate, each in its own way.
#pragma once
constexpr int T = 64;
template <bool Feedback>
__global__ void __launch_bounds__(T) by_argument(float *x, float *y, int n) {
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
// The argument is a class whose function stores or does not.
template <typename Out>
__global__ void __launch_bounds__(T) by_class(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  Out out{x};
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    out(i + T + threadIdx.x, sum);
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// The unit's macro decides.
inline __global__ void __launch_bounds__(T)
by_macro(float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j] * (threadIdx.x ^ j);
#ifdef FEEDBACK
    x[i + T + threadIdx.x] = sum;
#endif
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
// The number of copies is the argument: one in this unit, three in that.
template <int Rows>
__global__ void __launch_bounds__(T) by_number(float *x, float *y, int n) {
  __shared__ float xs[Rows * T];
  float sum = 0;
  int row = 0;
  for (int i = 0; i < n; i += T) {
    xs[row * T + threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T * min(Rows, i / T + 1); ++j)
      sum += xs[j] * (threadIdx.x ^ j);
    row = (row + 1) % Rows;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
