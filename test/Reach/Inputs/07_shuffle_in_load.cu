// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *__restrict__ x, float *y, int n, int c) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; ++k) {
    int at = k / c;
    for (int i = 16; i; i /= 2) at += __shfl_xor_sync(~0u, at, i);
    xs[t] = x[at + t];
    __syncthreads();
    s += xs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
