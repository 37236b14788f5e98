// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward attention in blocks, float: 64 queries by 32 keys of 64 numbers, scores in
// shared memory between two small products, 256 threads.
#include "bench.h"

#define D 64
#define BR 64
#define BC 32

__global__ void __launch_bounds__(256)
flash_forward(const float *__restrict__ Q, const float *__restrict__ K,
              const float *__restrict__ V, float *__restrict__ O, int queries, int keys,
              float scale) {
  __shared__ float Qi[BR][D + 1], Kj[BC][D + 1], Vj[BC][D], S[BR][BC + 1];
  __shared__ float correction[BR];

  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  Q += (size_t(blockIdx.y) * queries + blockIdx.x * BR) * D;
  O += (size_t(blockIdx.y) * queries + blockIdx.x * BR) * D;
  K += size_t(blockIdx.y) * keys * D;
  V += size_t(blockIdx.y) * keys * D;

  for (int x = threadIdx.x; x < BR * D; x += blockDim.x)
    Qi[x / D][x % D] = Q[x] * scale;

  float m = -1e30f, l = 0.0f; // of row threadIdx.x, in the first BR threads
  float o[4][4] = {};

  for (int j = 0; j < keys / BC; j++) {
    for (int x = threadIdx.x; x < BC * D; x += blockDim.x) {
      Kj[x / D][x % D] = K[j * BC * D + x];
      Vj[x / D][x % D] = V[j * BC * D + x];
    }
    __syncthreads();

    float s[4][2] = {};
    for (int d = 0; d < D; d++)
      for (int r = 0; r < 4; r++)
        for (int c = 0; c < 2; c++)
          s[r][c] += Qi[ty * 4 + r][d] * Kj[tx + 16 * c][d];
    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 2; c++)
        S[ty * 4 + r][tx + 16 * c] = s[r][c];
    __syncthreads();

    if (threadIdx.x < BR) {
      float *row = S[threadIdx.x];
      float now = m;
      for (int c = 0; c < BC; c++)
        now = fmaxf(now, row[c]);
      const float keep = __expf(m - now);
      l *= keep;
      for (int c = 0; c < BC; c++) {
        row[c] = __expf(row[c] - now);
        l += row[c];
      }
      m = now;
      correction[threadIdx.x] = keep;
    }
    __syncthreads();

    for (int r = 0; r < 4; r++)
      for (int c = 0; c < 4; c++)
        o[r][c] *= correction[ty * 4 + r];
    for (int k = 0; k < BC; k++)
      for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
          o[r][c] += S[ty * 4 + r][k] * Vj[k][tx + 16 * c];
    __syncthreads();
  }

  if (threadIdx.x < BR)
    correction[threadIdx.x] = l > 0.0f ? 1.0f / l : 0.0f;
  __syncthreads();
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      O[(ty * 4 + r) * D + tx + 16 * c] = o[r][c] * correction[ty * 4 + r];
}

int main() {
  const int heads = bench::size(64), queries = bench::size(2048);
  const int keys = bench::tiled(1024, BC);
  float *Q = bench::random<float>(size_t(heads) * queries * D, 1);
  float *K = bench::random<float>(size_t(heads) * (keys + 1) * D, 2);
  float *V = bench::random<float>(size_t(heads) * (keys + 1) * D, 3);
  float *O = bench::output<float>(size_t(heads) * queries * D);
  bench::run("flash_forward", [&] {
    flash_forward<<<dim3(queries / BR, heads), 256>>>(Q, K, V, O, queries, keys, 0.125f);
  });
  bench::report("O", O, size_t(heads) * queries * D);
}
