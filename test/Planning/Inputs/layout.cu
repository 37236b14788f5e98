// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of odd sizes and alignments beside a tile of 256 bytes, and
// what plays no part: what no one mentions, what another kernel has.

__device__ int helped(int i) {
  __shared__ int table[10];
  table[i] = i;
  __syncthreads();
  return table[9 - i];
}

__global__ void odd_sizes(const float *in, float *out, int n) {
  __shared__ char first[3];
  __shared__ float tile[64];
  __shared__ char second[5];
  __shared__ double third;
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
  first[threadIdx.x % 3] = second[threadIdx.x % 5] = threadIdx.x;
  third = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] += first[0] + second[0] + third;
}

__global__ void aligned(const float *in, float *out, int n) {
  __shared__ float tile[64];
  __shared__ char before[5];
  __shared__ __align__(128) char after[10];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
  before[threadIdx.x % 5] = after[threadIdx.x % 10] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] += before[0] + after[0];
}

__global__ void unused(const float *in, float *out, int n) {
  __shared__ float tile[64];
  __shared__ int nobody[1000];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

__global__ void in_function(const float *in, float *out, int n) {
  __shared__ float tile[64];
  __shared__ short own[3];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * 64 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
  own[threadIdx.x % 3] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] += own[0] + helped(threadIdx.x % 10);
}

#ifdef DYNAMIC
// Dynamic shared memory in one kernel rounds the static one up in all.
__global__ void other(float *out) {
  extern __shared__ __align__(64) char bytes[];
  bytes[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = bytes[threadIdx.x ^ 1];
}
#endif
