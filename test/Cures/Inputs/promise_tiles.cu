// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
constexpr int T = 64;
#ifdef CURED
#define TILES const float *__restrict__
#else
#define TILES const float *
#endif

__global__ void __launch_bounds__(T)
waits(TILES x, int *__restrict__ ready, float *__restrict__ y, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    s[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    sum += s[threadIdx.x ^ 1];
    if (threadIdx.x == 0)
      while (atomicAdd(ready, 0) < i)
        ;
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
