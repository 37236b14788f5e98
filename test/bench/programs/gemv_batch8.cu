// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Y = W * X for eight vectors, weights in half: a warp has two rows, 16 rows a block; 256
// numbers of each vector and of each row a tile.
#include "bench.h"
#include <cuda_fp16.h>

constexpr int BATCH = 8, WARPS = 8, ROWS = 16, CHUNK = 256;

__global__ void __launch_bounds__(WARPS * 32)
mlp_gemv(const half *__restrict__ W, const float *__restrict__ X, float *__restrict__ Y,
         int rows, int k) {
  __shared__ __align__(16) half w_s[ROWS][CHUNK];
  __shared__ __align__(16) float x_s[BATCH][CHUNK];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  W += size_t(blockIdx.x) * ROWS * k;

  float acc[2][BATCH] = {};
  for (int k0 = 0; k0 < k; k0 += CHUNK) {
    for (int i = threadIdx.x; i < ROWS * CHUNK / 8; i += WARPS * 32) {
      const int r = i / (CHUNK / 8), c = i % (CHUNK / 8) * 8;
      *(int4 *)&w_s[r][c] = *(const int4 *)&W[size_t(r) * k + k0 + c];
    }
    for (int i = threadIdx.x; i < BATCH * CHUNK / 4; i += WARPS * 32) {
      const int b = i / (CHUNK / 4), c = i % (CHUNK / 4) * 4;
      *(float4 *)&x_s[b][c] = *(const float4 *)&X[size_t(b) * k + k0 + c];
    }
    __syncthreads();
    for (int c = lane * 2; c < CHUNK; c += 64) {
      const float2 w0 = __half22float2(*(const half2 *)&w_s[warp * 2][c]);
      const float2 w1 = __half22float2(*(const half2 *)&w_s[warp * 2 + 1][c]);
      for (int b = 0; b < BATCH; ++b) {
        const float2 x = *(const float2 *)&x_s[b][c];
        acc[0][b] += w0.x * x.x + w0.y * x.y;
        acc[1][b] += w1.x * x.x + w1.y * x.y;
      }
    }
    __syncthreads();
  }

  for (int r = 0; r < 2; ++r)
    for (int b = 0; b < BATCH; ++b) {
      float v = acc[r][b];
      for (int mask = 16; mask > 0; mask >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, mask);
      if (lane == 0)
        Y[size_t(b) * rows + blockIdx.x * ROWS + warp * 2 + r] = v;
    }
}

int main() {
  const int rows = bench::size(16384), k = bench::tiled(8192, CHUNK);
  half *W = bench::random<half>(size_t(rows) * (k + 8), 1);
  float *X = bench::random<float>(BATCH * (k + 8), 2);
  float *Y = bench::output<float>(BATCH * rows);
  bench::run("gemv_batch8",
             [&] { mlp_gemv<<<rows / ROWS, WARPS * 32>>>(W, X, Y, rows, k); });
  bench::report("Y", Y, BATCH * rows);
}
