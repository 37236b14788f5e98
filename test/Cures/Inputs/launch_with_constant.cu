// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --variant=cp-async

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  extern __shared__ float scratch[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    scratch[threadIdx.x] = sum;
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void launch(const float *x, float *y, int n, int bytes) {
#ifdef CURED
  tile<<<1, T, 256>>>(x, y, n);
#else
  tile<<<1, T, bytes>>>(x, y, n);
#endif
}
