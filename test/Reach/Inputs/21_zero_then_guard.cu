// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    float v = 0;
    if (k + t < n) v = x[k + t];
    xs[t] = v;                        // = k + t < n ? x[k + t] : 0, cp.async with zero fill
    __syncthreads();
    s += xs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
