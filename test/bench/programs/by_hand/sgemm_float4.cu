// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../sgemm_float4.cu, pipelined by hand: register double buffering. The next
// tile is loaded into registers while this one is multiplied, then stored to the
// other of two buffers; one barrier per tile. Rows of As are padded by 16 bytes,
// which spares the transposing stores half of their bank conflicts.
#include "bench.h"

constexpr int BM = 128, BN = 128, BK = 16, Threads = 256;
// Rows of A and of B that the block loads at once, one vector per thread.
constexpr int RowsA = Threads / (BK / 4), RowsB = Threads / (BN / 4);

using TileA = float[BK][BM + 4];
using TileB = float[BK][BN];

__device__ __forceinline__ void multiply(const TileA &As, const TileB &Bs,
                                         int tx, int ty, float (&acc)[8][8]) {
#pragma unroll
  for (int k = 0; k < BK; ++k) {
    float4 a0 = *reinterpret_cast<const float4 *>(&As[k][ty * 4]);
    float4 a1 = *reinterpret_cast<const float4 *>(&As[k][64 + ty * 4]);
    float4 b0 = *reinterpret_cast<const float4 *>(&Bs[k][tx * 4]);
    float4 b1 = *reinterpret_cast<const float4 *>(&Bs[k][64 + tx * 4]);
    float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
    float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j)
        acc[i][j] += a[i] * b[j];
  }
}

__global__ void __launch_bounds__(Threads)
sgemm(const float *__restrict__ A, const float *__restrict__ B,
      float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) TileA As[2];
  __shared__ __align__(16) TileB Bs[2];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int a_row = tid / (BK / 4), a_col = tid % (BK / 4) * 4;
  const int b_row = tid / (BN / 4), b_col = tid % (BN / 4) * 4;

  // This thread's part of the next tile, and where it is loaded from.
  float4 a_next[BM / RowsA], b_next[BK / RowsB];
  const float *a_from = A + (row + a_row) * K + a_col;
  const float *b_from = B + b_row * N + col + b_col;

  auto fetch = [&] {
#pragma unroll
    for (int i = 0; i < BM / RowsA; ++i)
      a_next[i] = *reinterpret_cast<const float4 *>(a_from + i * RowsA * K);
#pragma unroll
    for (int i = 0; i < BK / RowsB; ++i)
      b_next[i] = *reinterpret_cast<const float4 *>(b_from + i * RowsB * N);
    a_from += BK;
    b_from += BK * N;
  };
  auto store = [&](int buffer) {
#pragma unroll
    for (int i = 0; i < BM / RowsA; ++i) {
      As[buffer][a_col + 0][a_row + i * RowsA] = a_next[i].x;
      As[buffer][a_col + 1][a_row + i * RowsA] = a_next[i].y;
      As[buffer][a_col + 2][a_row + i * RowsA] = a_next[i].z;
      As[buffer][a_col + 3][a_row + i * RowsA] = a_next[i].w;
    }
#pragma unroll
    for (int i = 0; i < BK / RowsB; ++i)
      *reinterpret_cast<float4 *>(&Bs[buffer][b_row + i * RowsB][b_col]) =
          b_next[i];
  };

  float acc[8][8] = {};
  const int tiles = K / BK;
  if (tiles > 0) {
    fetch();
    store(0);
    __syncthreads();
    for (int t = 0; t + 1 < tiles; ++t) {
      fetch();
      multiply(As[t % 2], Bs[t % 2], tx, ty, acc);
      // The last barrier was behind all reads of the other buffer.
      store((t + 1) % 2);
      __syncthreads();
    }
    const int last = (tiles - 1) % 2;
    multiply(As[last], Bs[last], tx, ty, acc);
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int r = row + i / 4 * 64 + ty * 4 + i % 4;
#pragma unroll
    for (int j = 0; j < 8; j += 4)
      *reinterpret_cast<float4 *>(&C[r * N + col + j / 4 * 64 + tx * 4]) =
          make_float4(acc[i][j], acc[i][j + 1], acc[i][j + 2], acc[i][j + 3]);
  }
}

int main() {
  const int n = bench::size(4096), k = bench::tiled(4096, BK);
  float *A = bench::random<float>(n * k, 1);
  float *B = bench::random<float>(k * n, 2);
  float *C = bench::output<float>(n * n);
  bench::run("sgemm_float4", [&] {
    sgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, k);
  });
  bench::report("C", C, n * n);
}
