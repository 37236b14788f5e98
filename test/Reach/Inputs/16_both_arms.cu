// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256], zs[256];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    if (k + t < n) { xs[t] = x[k + t]; zs[t] = 2 * x[k + t]; }
    else           { xs[t] = 0;        zs[t] = 0; }
    __syncthreads();
    s += xs[t ^ 1] * zs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
