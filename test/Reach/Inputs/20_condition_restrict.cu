// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float *__restrict__ x, const int *__restrict__ n, float *__restrict__ y) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n[0]; k += 256) {
    xs[t] = x[k + t];
    __syncthreads();
    y[k + t] = xs[t ^ 1];
    __syncthreads();
  }
}
