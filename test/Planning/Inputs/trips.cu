// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compute regions whose operations can, and cannot, be counted.

constexpr int T = 16;

// As many operations as the launch says.
__global__ void open_count(const float *in, float *out, int n, int depth) {
  __shared__ float tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < depth; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// Two for each of 16 elements, under a condition that a full tile meets; what
// indices need does not count.
__global__ void guarded(const int *in, int *out, int n, int end) {
  __shared__ int tile[T];
  int sum = 0;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 2 * T; i += 2)
      if (t * T + i < end)
        sum += tile[i / 2] * 3;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A triangle: 1 + 2 + … + 16 additions, 136 for 16 bytes.
__global__ void triangle(const float4 *in, float *out, int n) {
  __shared__ float4 tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      for (int j = 0; j <= i; ++j)
        sum += tile[j].x;
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// A quarter of the threads copies, if blocks have eight rows.
__global__ void some_threads(const float *in, float *out, int n) {
  __shared__ float tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    if (threadIdx.y < 2)
      tile[threadIdx.x] = in[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T; ++i)
      sum += tile[i];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// fmaf is two operations, sqrtf one: 3 for each of 8 elements in 4 bytes.
__global__ void functions(const float *in, float *out, int n) {
  __shared__ float tile[T];
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    tile[threadIdx.x] = in[t * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < T / 2; ++i)
      sum = fmaf(tile[i], 2.0f, sqrtf(sum));
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
