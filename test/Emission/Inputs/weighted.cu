// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 32; // threads of a block, and points of a tile

// The sum of 1 / distance of each query to n points, weighted.
__global__ void __launch_bounds__(T)
weighted(const float4 *__restrict__ points, const signed char *__restrict__ weights,
         const float4 *__restrict__ queries, float *__restrict__ sums, int n) {
  __shared__ float4 tile[T];
  __shared__ float weight[T];
  float4 q = queries[threadIdx.x];
  float sum = 0;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = points[i + threadIdx.x];
    weight[threadIdx.x] = 0.125f * weights[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      float x = tile[j].x - q.x, y = tile[j].y - q.y;
      sum += weight[j] * rsqrtf(x * x + y * y + 1);
    }
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "weighted.h"
#endif
