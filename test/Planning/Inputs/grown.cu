// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in dynamic shared memory, and the ways in which a host launches it: each
// is a file of its own, split-file makes them, as what conditions leave out could
// be the launch of another configuration.
//--- kernel.cuh
constexpr int T = 256;

#if CASE == 1
__global__ void sums(const float *x, float *y, int n);
#endif
#if CASE == 2
template <typename E>
#else
using E = float;
#endif
__global__ void __launch_bounds__(T) sums(const E *x, E *y, int n) {
  extern __shared__ float tile[];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    for (int j = threadIdx.x; j < BYTES / 4; j += T) // all of it
      tile[j] = x[i + j];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
//--- 0.cu
void run(const float *x, float *y, int n, int bytes) {
  sums<<<1, T, T * 4>>>(x, y, n);
}
//--- 1.cu
void run(const float *x, float *y, int n, int bytes) {
  sums<<<1, T, T * 4>>>(x, y, n);
}
//--- 2.cu
void run(const float *x, float *y, int n, int bytes) {
  sums<<<1, T, BYTES>>>(x, y, n);
}
//--- 3.cu
void run(const float *x, float *y, int n, int bytes) {
  auto kernel = sums;
  kernel<<<1, T, T * 4>>>(x, y, n);
}
//--- 4.cu
void run(const float *x, float *y, int n, int bytes) {
  sums<<<1, T>>>(x, y, n);
}
//--- 5.cu
void run(const float *x, float *y, int n, int bytes) {
  sums<<<1, T, T * 4>>>(x, y, n);
  void *known = (void *)sums;
}
//--- 6.cu
#define LAUNCH(bytes) sums<<<1, T, bytes>>>(x, y, n)
void run(const float *x, float *y, int n, int bytes) {
  LAUNCH(T * 4);
}
//--- 7.cu
void run(const float *x, float *y, int n, int bytes) {
  void *arguments[] = {&x, &y, &n};
  cudaLaunchCooperativeKernel(sums, dim3(1), dim3(T), arguments, T * 4);
}
//--- 8.cu
#define TILE_BYTES (T * 4)
void run(const float *x, float *y, int n, int bytes) {
  void *arguments[] = {&x, &y, &n};
  cudaFuncSetCacheConfig(sums, cudaFuncCachePreferShared);
  cudaLaunchKernel((const void *)sums, dim3(1), dim3(T), arguments, TILE_BYTES,
                   0);
}
//--- 9.cu
void run(const float *x, float *y, int n, int bytes) {
  sums<<<1, T, bytes>>>(x, y, n);
}
//--- 10.cu
void run(const float *x, float *y, int n, int bytes) {
  // One of the two is over 48 KB with its second stage: both opt in, as what
  // one sets holds for the other.
  if (bytes > 98304)
    return;
  sums<<<1, T, T * 4>>>(x, y, n);
  sums<<<1, T, 32768>>>(x, y, n);
}
//--- 11.cu
void run(const float *x, float *y, int n, int bytes) {
  // The host allows it what it likes; launches are what counts.
  cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  sums<<<1, T, T * 4>>>(x, y, n);
}
//--- 12.cu
void run(const float *x, float *y, int n, int bytes) {
  cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  sums<<<1, T, bytes>>>(x, y, n);
}
