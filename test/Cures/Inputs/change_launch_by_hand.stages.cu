// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  extern __shared__ float xs[];
  float sum = 0;
#ifdef CURED
  // kpipe: stages=1
#else
  // kpipe: stages=2
#endif
  for (int i = 0; i < n; i += T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
#define MORE(...) tile<<<2, T, T * 4>>>(__VA_ARGS__)
void launch(const float *x, float *y, int n) {
  tile<<<1, T, T * 4>>>(x, y, n);
#ifdef LATER
  MORE(x, y, n);
#endif
}
