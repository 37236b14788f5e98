// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
template <bool Two> __device__ void load(const float4 *x, float4 *xs, int k) {
  for (int i = 0; i < 8; ++i) {
    float4 v = x[k + i * 64 + threadIdx.x];
    if (Two) { float *p = reinterpret_cast<float *>(xs);
      p[(i * 64 + threadIdx.x) * 4] = v.x; p[(i * 64 + threadIdx.x) * 4 + 1] = v.y;
      p[(i * 64 + threadIdx.x) * 4 + 2] = v.z; p[(i * 64 + threadIdx.x) * 4 + 3] = v.w;
    } else xs[i * 64 + threadIdx.x] = v;
  }
}
__global__ void __launch_bounds__(64) g(const float4 *x, float *y, int n) {
  __shared__ float4 xs[512];
  int t = threadIdx.x; float s = 0;
  for (int k = 0; k < n; k += 512) {
    load<false>(x, xs, k);
    __syncthreads();
    s += xs[t ^ 1].x;
    __syncthreads();
  }
  y[t] = s;
}
