// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    xs[t] = x[k + t];
    __syncthreads();
    for (int j = 0; j < 2; ++j) {
      s += xs[t ^ j];
      __syncthreads();                // the last pass ends with it
    }
  }
  y[t] = s;
}
