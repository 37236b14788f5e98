// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in dynamic shared memory, and the ways in which a host launches it.

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
    tile[threadIdx.x] = x[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j)
      sum += tile[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#define LAUNCH(bytes) sums<<<1, T, bytes>>>(x, y, n)
#define TILE_BYTES (T * 4)

void run(const float *x, float *y, int n, int bytes) {
#if CASE == 0 || CASE == 1
  sums<<<1, T, T * 4>>>(x, y, n);
#elif CASE == 2
  sums<<<1, T, BYTES>>>(x, y, n);
#elif CASE == 3
  auto kernel = sums;
  kernel<<<1, T, T * 4>>>(x, y, n);
#elif CASE == 4
  sums<<<1, T>>>(x, y, n);
#elif CASE == 5
  sums<<<1, T, T * 4>>>(x, y, n);
  void *known = (void *)sums;
#elif CASE == 6
  LAUNCH(T * 4);
#elif CASE == 7
  void *arguments[] = {&x, &y, &n};
  cudaLaunchCooperativeKernel(sums, dim3(1), dim3(T), arguments, T * 4);
#elif CASE == 8
  void *arguments[] = {&x, &y, &n};
  cudaFuncSetCacheConfig(sums, cudaFuncCachePreferShared);
  cudaLaunchKernel((const void *)sums, dim3(1), dim3(T), arguments, TILE_BYTES,
                   0);
#elif CASE == 9
  sums<<<1, T, bytes>>>(x, y, n);
#elif CASE == 10
  // One of the two is over 48 KB with its second stage: both opt in, as what
  // one sets holds for the other.
  if (bytes > 98304)
    return;
  sums<<<1, T, T * 4>>>(x, y, n);
  sums<<<1, T, 32768>>>(x, y, n);
#elif CASE == 11
  // The host allows it what it likes; launches are what counts.
  cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
  sums<<<1, T, T * 4>>>(x, y, n);
#elif CASE == 12
  cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  sums<<<1, T, bytes>>>(x, y, n);
#endif
}
