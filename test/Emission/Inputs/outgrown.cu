// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

constexpr int T = 64; // threads of a block, and columns of a tile
constexpr int R = 32; // rows of a tile, which has 32 KB

// The weighted sum of each column of a matrix.
__global__ void __launch_bounds__(T)
columns(const float4 *__restrict__ A, const float *__restrict__ weight,
        float4 *__restrict__ sums, int rows) {
  __shared__ float4 tile[R][T];
  float4 sum = {0, 0, 0, 0};
  for (int r = 0; r < rows; r += R) {
    for (int i = 0; i < R; ++i)
      tile[i][threadIdx.x] = A[(r + i) * T + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < R; ++i) {
      sum.x += tile[i][threadIdx.x].x * weight[r + i];
      sum.y += tile[i][threadIdx.x].y * weight[r + i];
    }
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

void run(const float4 *A, const float *weight, float4 *sums, int rows) {
  columns<<<1, T>>>(A, weight, sums, rows);
}

#ifdef KPIPE_HARNESS
#include "outgrown.h"
#endif
