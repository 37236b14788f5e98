// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// N registers a tile: one instantiation has room for seven tiles, one has not.

template <int N>
__global__ void __launch_bounds__(32)
many(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[32 * N];
  float sum = 0;
  for (int i = 0; i < n; i += 32 * N) {
    for (int j = 0; j < N; ++j)
      xs[j * 32 + threadIdx.x] = x[i + j * 32 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32 * N; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

template __global__ void many<1>(const float *, float *, int);
template __global__ void many<64>(const float *, float *, int);
