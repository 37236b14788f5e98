// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --variant=ldg

constexpr int T = 64;

__global__ void __launch_bounds__(T)
tile(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float xs[2 * T];
  float sum = 0;
#ifdef CURED
  struct Two {
    float a, b;
  };
#endif
  for (int i = 0; i < n; i += 2 * T) {
#ifndef CURED
    struct Two {
      float a, b;
    };
#endif
    reinterpret_cast<Two *>(xs)[threadIdx.x] =
        reinterpret_cast<const Two *>(x + i)[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
