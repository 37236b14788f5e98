// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: --producer=warpgroup --arch=sm_90a
__global__ void __launch_bounds__(128) sums(const float *in, float *out, int n) {
  __shared__ float tile[128];
  float sum = 0.0f;
#ifdef CURED
  // kpipe: schedule=auto producer=auto
#endif
  for (int i = 0; i < n; i += 128) {
    tile[threadIdx.x] = in[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 128; ++j)
      sum += tile[j];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
