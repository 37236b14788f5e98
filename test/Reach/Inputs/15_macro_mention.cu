// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define xs(i) xs[(i) ^ 1]
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    xs(t) = x[k + t];
    __syncthreads();
    s += xs(t ^ 1);
    __syncthreads();
  }
  y[t] = s;
}
