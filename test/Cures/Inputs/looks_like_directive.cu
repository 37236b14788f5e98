// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0;
#ifdef CURED
  // kpipe: assume(no-alias)
#else
  //kpipe assume(no-alias)
#endif
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    y[i + threadIdx.x] = sum;
    __syncthreads();
  }
}
