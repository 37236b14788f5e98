// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A running sum that is stored as it grows: for all that the types say, what is
// stored may be what is loaded next.
constexpr int T = 64;

__global__ void __launch_bounds__(T)
running_sum(const float *x, float *y, int n) {
  __shared__ float xs[T];
  float sum = 0.0f;
  for (int k0 = 0; k0 < n; k0 += T) {
    xs[threadIdx.x] = x[k0 + threadIdx.x];
    __syncthreads();
    for (int j = 0; j <= threadIdx.x; ++j)
      sum += xs[j];
    y[k0 + threadIdx.x] = sum;
    __syncthreads();
  }
}
