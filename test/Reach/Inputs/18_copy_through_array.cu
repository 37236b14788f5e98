// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
__global__ void g(const float4 *x, float *y, int n) {
  __shared__ float4 xs[512];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 512) {
    float4 r[2];
    for (int i = 0; i < 2; ++i) r[i] = x[k + t + i * 256];
    for (int i = 0; i < 2; ++i) xs[t + i * 256] = r[i];    // a pure copy
    __syncthreads();
    s += xs[t ^ 1].x;
    __syncthreads();
  }
  y[t] = s;
}
