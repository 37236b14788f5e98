// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += T) {
    int at = k + t;
#ifdef CURED
    xs[t] = 2 * x[at];
    ++at;
    xs[t + T] = 2 * x[at];
#else
    xs[t] = 2 * x[at], ++at, xs[t + T] = 2 * x[at];
#endif
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[t] = sum;
}
