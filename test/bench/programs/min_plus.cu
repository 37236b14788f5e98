// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shortest ways over one more vertex (min-plus product), 16-bit weights and int sums:
// 64 x 64 x 32 tiles, 4 x 4 elements a thread.
#include "bench.h"

#define TILE 64
#define STEP 32

__global__ void min_plus(const uint16_t *a, const uint16_t *b, int *c, int n, int m) {
  __shared__ int sa[TILE][STEP + 1], sb[STEP][TILE];

  int tx = threadIdx.x, ty = threadIdx.y;
  int tid = ty * blockDim.x + tx;
  int i0 = blockIdx.y * TILE, j0 = blockIdx.x * TILE;

  int best[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      best[i][j] = 1 << 30;

  for (int k0 = 0; k0 < m; k0 += STEP) {
    for (int e = tid; e < TILE * STEP; e += 256) {
      sa[e / STEP][e % STEP] = a[(i0 + e / STEP) * m + k0 + e % STEP];
      sb[e / TILE][e % TILE] = b[(k0 + e / TILE) * n + j0 + e % TILE];
    }
    __syncthreads();

    for (int k = 0; k < STEP; k++)
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          best[i][j] = min(best[i][j], sa[ty + 16 * i][k] + sb[k][tx + 16 * j]);
    __syncthreads();
  }

  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      c[(i0 + ty + 16 * i) * n + j0 + tx + 16 * j] = best[i][j];
}

int main() {
  const int n = bench::size(2048), m = bench::tiled(2048, STEP);
  signed char *a = bench::random<signed char>(size_t(n) * (m + 1) * 2, 1);
  signed char *b = bench::random<signed char>(size_t(n) * (m + 1) * 2, 2);
  int *c = bench::output<int>(size_t(n) * n);
  bench::run("min_plus", [&] {
    min_plus<<<dim3(n / TILE, n / TILE), dim3(16, 16)>>>((const uint16_t *)a,
                                                         (const uint16_t *)b, c, n, m);
  });
  bench::report("c", c, size_t(n) * n);
}
