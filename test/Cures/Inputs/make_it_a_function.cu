// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__device__ void load(const float *x, float *xs, int i) {
  xs[threadIdx.x] = x[i + threadIdx.x];
}
__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  auto fill = [=](auto *to, int i) { to[threadIdx.x] = x[i + threadIdx.x]; };
  float sum = 0;
  for (int i = 0; i < n; i += T) {
#ifdef CURED
    load(x, xs, i);
#else
    fill(xs, i);
#endif
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
