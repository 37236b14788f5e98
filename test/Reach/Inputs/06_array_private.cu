// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  float r[2];
  for (int k = 0; k < n; k += 256) {
    r[0] = x[k + t];                  // temporary of the load
    xs[t] = 2 * r[0];
    __syncthreads();
    for (int i = 0; i < 2; ++i) r[i] = xs[t ^ i];   // fragment of the compute
    for (int i = 0; i < 2; ++i) s += r[i];
    __syncthreads();
  }
  y[t] = s;
}
