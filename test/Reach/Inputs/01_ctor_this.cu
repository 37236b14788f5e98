// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_fp16.h>
__global__ void g(const half *x, half *y, int n) {
  __shared__ half xs[256];
  int t = threadIdx.x; half s = 0;
  for (int k = 0; k < n; k += 256) {
    half v = 0;                       // __half(int) { __x = ...; }: writes through this
    if (k + t < n) v = x[k + t];
    xs[t] = v;
    __syncthreads();
    s += xs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
