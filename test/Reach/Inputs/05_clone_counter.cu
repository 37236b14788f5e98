// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
template <int N> __device__ void load(const float *x, float *xs, int k) {
  for (int i = threadIdx.x; i < N; i += 64) xs[i] = 2 * x[k + i];
}
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256], zs[128];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    load<256>(x, xs, k);
    load<128>(x, zs, k);              // same text, another instantiation
    __syncthreads();
    s += xs[t ^ 1] * zs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
