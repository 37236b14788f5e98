// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of every kind: 16 bytes, 4 bytes, transposed, converted.

#include <cuda_fp16.h>

constexpr int T = 32;

__global__ void __launch_bounds__(T)
mixed(const float4 *a, const float *b, const float4 *c, float *out, int n) {
  __shared__ float4 wide[T];
  __shared__ float narrow[T];
  __shared__ float turned[4][T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    wide[threadIdx.x] = a[t * T + threadIdx.x];
    narrow[threadIdx.x] = b[t * T + threadIdx.x];
    float4 v = c[t * T + threadIdx.x];
    turned[0][threadIdx.x] = v.x;
    turned[1][threadIdx.x] = v.y;
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += wide[i].x * narrow[i] * turned[0][i] * turned[1][i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(T)
converted(const half *a, float *out, int n) {
  __shared__ float tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = __half2float(a[t * T + threadIdx.x]);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The places differ from tile to tile: one buffer only.
__global__ void __launch_bounds__(T)
stale(const float *a, float *out, int n, int end) {
  __shared__ float tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    if (t * T + threadIdx.x < end)
      tile[threadIdx.x] = a[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// kpipe: variant=ldg
__global__ void __launch_bounds__(T)
directed(const float4 *a, float *out, int n) {
  __shared__ float4 tile[T];
  float sum = 0.0f;
  // kpipe: stages=1
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = a[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i].x;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
