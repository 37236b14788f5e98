// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *x, float *y, int n) {
  __shared__ float block[512];
  float *xs = block, *zs = block + 256;   // works where block is dynamic
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    xs[t] = x[k + t]; zs[t] = x[k + t + 1];
    __syncthreads();
    s += xs[t ^ 1] * zs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
