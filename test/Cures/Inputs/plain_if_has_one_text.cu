// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 64;

template <bool Squared>
__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[T];
  float sum = 0;
  for (int k = 0; k < n; k += T) {
#ifdef CURED
    if (Squared)
#else
    if constexpr (Squared)
#endif
    {
      float two[2] = {x[k + threadIdx.x], x[k + (threadIdx.x ^ 1)]};
      xs[threadIdx.x] = two[0] * two[1];
    } else {
      xs[threadIdx.x] = x[k + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void tile<true>(const float *, float *, int);
template __global__ void tile<false>(const float *, float *, int);
