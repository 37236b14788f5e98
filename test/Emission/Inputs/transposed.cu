// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

constexpr int T = 32; // threads of a block, and rows of a tile
constexpr int C = 16; // columns of a tile

// y = A x, one row a thread. A warp reads a column of the tile at once: half of
// it lies in one bank, half in another.
__global__ void __launch_bounds__(T)
rows(const float *__restrict__ A, const float *__restrict__ x,
     float *__restrict__ y, int columns) {
  __shared__ float tile[T][C];
  float sum = 0;
  for (int c = 0; c < columns; c += C) {
    for (int i = threadIdx.x; i < T * C; i += T)
      tile[i / C][i % C] = A[i / C * columns + c + i % C];
    __syncthreads();
    for (int k = 0; k < C; ++k)
      sum += tile[threadIdx.x][k] * x[c + k];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

#ifdef KPIPE_HARNESS
#include "transposed.h"
#endif
