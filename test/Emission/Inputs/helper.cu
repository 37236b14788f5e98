// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 32; // threads of a block, and columns of a tile
constexpr int R = 8;  // rows of a tile

__device__ void bring(float (&tile)[R][T], const float *from) {
  for (int row = 0; row < R; ++row)
    tile[row][threadIdx.x] = from[row * T + threadIdx.x];
}

// y = x A, one column a thread.
__global__ void __launch_bounds__(T)
product(const float *__restrict__ A, const float *__restrict__ x,
        float *__restrict__ y, int rows) {
  __shared__ float tile[R][T];
  float sum = 0;
  for (int r = 0; r < rows; r += R) {
    bring(tile, A + r * T);
    __syncthreads();
    for (int k = 0; k < R; ++k)
      sum += tile[k][threadIdx.x] * x[r + k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "helper.h"
#endif
