// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  int parts = 256 / 64;               // never written again; `const int` works
  for (int k = 0; k < n; k += 256) {
    for (int i = 0; i < parts; ++i) xs[i * 64 + t] = 2 * x[k + i * 64 + t];
    __syncthreads();
    s += xs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
