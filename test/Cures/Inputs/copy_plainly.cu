// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_pipeline.h>

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n, int bytes) {
  __shared__ float xs[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
#ifdef CURED
    xs[threadIdx.x] = x[i + threadIdx.x];
#else
    __pipeline_memcpy_async(&xs[threadIdx.x], &x[i + threadIdx.x], 4, bytes);
    __pipeline_commit();
    __pipeline_wait_prior(0);
#endif
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
