// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two products with one vector, gate and up of a feed-forward layer, 16-bit floats:
// a block has 16 rows of both, a warp two of them, and stages 512 columns of each.
#include "bench.h"
#include <cuda_fp16.h>

constexpr int Rows = 16, Columns = 512, Threads = 256;

__global__ void __launch_bounds__(Threads)
gated(const half *__restrict__ gate, const half *__restrict__ up,
      const half *__restrict__ x, float *__restrict__ out, int depth) {
  __shared__ __align__(16) half gates[Rows][Columns];
  __shared__ __align__(16) half ups[Rows][Columns];
  const int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  const size_t row = size_t(blockIdx.x) * Rows;

  float g[2] = {}, u[2] = {};
  for (int first = 0; first < depth; first += Columns) {
#pragma unroll
    for (int i = tid; i < Rows * Columns / 8; i += Threads) {
      const int r = i / (Columns / 8), c = i % (Columns / 8) * 8;
      *reinterpret_cast<uint4 *>(&gates[r][c]) =
          *reinterpret_cast<const uint4 *>(&gate[(row + r) * depth + first + c]);
      *reinterpret_cast<uint4 *>(&ups[r][c]) =
          *reinterpret_cast<const uint4 *>(&up[(row + r) * depth + first + c]);
    }
    __syncthreads();
    for (int c = lane * 2; c < Columns; c += 64) {
      const float2 v = __half22float2(
          *reinterpret_cast<const half2 *>(&x[first + c]));
#pragma unroll
      for (int r = 0; r < 2; ++r) {
        const float2 a = __half22float2(
            *reinterpret_cast<const half2 *>(&gates[warp * 2 + r][c]));
        const float2 b = __half22float2(
            *reinterpret_cast<const half2 *>(&ups[warp * 2 + r][c]));
        g[r] = fmaf(a.x, v.x, fmaf(a.y, v.y, g[r]));
        u[r] = fmaf(b.x, v.x, fmaf(b.y, v.y, u[r]));
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < 2; ++r) {
    for (int step = 16; step; step /= 2) {
      g[r] += __shfl_xor_sync(0xffffffff, g[r], step);
      u[r] += __shfl_xor_sync(0xffffffff, u[r], step);
    }
    if (lane == 0)
      out[row + warp * 2 + r] = g[r] / (1.0f + __expf(-g[r])) * u[r];
  }
}

int main() {
  const int rows = bench::size(14336), depth = bench::tiled(4096, Columns);
  const int used = rows / Rows * Rows;
  half *gate = bench::random<half>(size_t(rows) * (depth + 8), 1);
  half *up = bench::random<half>(size_t(rows) * (depth + 8), 2);
  half *x = bench::random<half>(depth + 8, 3);
  float *out = bench::output<float>(rows);
  bench::run("gated_gemv", [&] {
    gated<<<rows / Rows, Threads>>>(gate, up, x, out, depth);
  });
  bench::report("out", out, used);
}
