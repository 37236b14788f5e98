// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 32; // threads of a block, and points of a tile

// The squared distance of each query to the nearest of n points.
__global__ void __launch_bounds__(T)
nearest(const float4 *__restrict__ points, const float4 *__restrict__ queries,
        float *__restrict__ distance, int n) {
  __shared__ float4 tile[T];
  float4 q = queries[threadIdx.x];
  float least = 1e30f;
  for (int i = 0; i < n; i += T) {
    tile[threadIdx.x] = points[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < T; ++j) {
      float x = tile[j].x - q.x, y = tile[j].y - q.y, z = tile[j].z - q.z;
      least = fminf(least, x * x + y * y + z * z);
    }
    __syncthreads();
  }
  distance[threadIdx.x] = least;
}

#ifdef KPIPE_HARNESS
#include "nearest.h"
#endif
