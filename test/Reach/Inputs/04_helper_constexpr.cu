// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
template <int N> __device__ void load(const float *x, float *xs, int k) {
  constexpr int V = N / 64;           // names the trip count of a copy loop
  for (int i = 0; i < V; ++i) xs[i * 64 + threadIdx.x] = 2 * x[k + i * 64 + threadIdx.x];
}
__global__ void g(const float *x, float *y, int n) {
  __shared__ float xs[256];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 256) {
    load<256>(x, xs, k);
    __syncthreads();
    s += xs[t ^ 1];
    __syncthreads();
  }
  y[t] = s;
}
