// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose second stage would have to be dynamic shared memory, and by
// CASE what keeps it from being so. Launches are files of their own, see grown.cu.
//--- kernel.cuh
constexpr int T = 1024;

#if CASE == 1
__global__ void sums(const float4 *__restrict__ x, float *__restrict__ y, int n);
#elif CASE == 2
template <typename Index>
#elif CASE == 11
template <int>
#endif
__global__ void __launch_bounds__(T)
#if CASE == 2
sums(const float4 *__restrict__ x, float *__restrict__ y, Index n) {
#else
sums(const float4 *__restrict__ x, float *__restrict__ y, int n) {
#endif
#if CASE == 3
  constexpr int Elements = 2 * T;
  __shared__ float4 xs[Elements];
#elif CASE == 4
  __shared__ float4 xs[2 * T], last;
#else
  __shared__ float4 xs[2 * T];
#endif
  float sum = 0.0f;
  for (int i = 0; i < n; i += 2 * T) {
    xs[threadIdx.x] = x[i + threadIdx.x];
    xs[threadIdx.x + T] = x[i + threadIdx.x + T];
    __syncthreads();
    for (int j = 0; j < 2 * T; ++j)
      sum += xs[j].y;
    __syncthreads();
  }
#if CASE == 4
  if (threadIdx.x == 0)
    last = x[0];
#endif
#if CASE == 13
  auto at = [=](int j) { return n > 0 ? xs[j].x : 0; };
  sum += at(threadIdx.x);
#endif
  y[threadIdx.x] = sum;
}
//--- 0.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 0, stream>>>(x, y, n);
}
//--- 1.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 0, stream>>>(x, y, n);
}
//--- 2.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 0, stream>>>(x, y, n);
}
//--- 3.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 0, stream>>>(x, y, n);
}
//--- 4.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 0, stream>>>(x, y, n);
}
//--- 5.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  auto kernel = sums;
  kernel<<<1, T>>>(x, y, n);
}
//--- 6.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 1024>>>(x, y, n);
}
//--- 7.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sums, T, 0);
  sums<<<blocks, T, 0, stream>>>(x, y, n);
}
//--- 8.cu
#define LAUNCH sums<<<1, T>>>(x, y, n)
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  LAUNCH;
}
//--- 9.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
}
//--- 10.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 0, stream>>>(x, y, n);
}

template <int Blocks> void never(const float4 *x, float *y, int n) {
  sums<<<Blocks, T>>>(x + n * Blocks, y, n);
}
//--- 11.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<1><<<1, T, 0, stream>>>(x, y, n);
}

template <int Which> void never(const float4 *x, float *y, int n) {
  sums<Which><<<1, T>>>(x, y, n);
}
//--- 12.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
#ifdef IN_STREAM
  sums<<<1, T, 0, stream>>>(x, y, n);
#else
  sums<<<1, T>>>(x, y, n);
#endif
}
//--- 13.cu
void launches(const float4 *x, float *y, int n, cudaStream_t stream) {
  sums<<<1, T, 0, stream>>>(x, y, n);
}
