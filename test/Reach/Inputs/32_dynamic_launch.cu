// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch's memory grows where the launch is split.
__global__ void g(const float *x, float *y, int n) {
  extern __shared__ float xs[];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    xs[t] = x[k + t];
    __syncthreads();
    s += xs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
void host(const float *x, float *y, int n) {
  g<< <1, 256, 256 * sizeof(float)>> >(x, y, n);
}
