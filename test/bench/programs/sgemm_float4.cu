// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, float: block tiles of 128 x 128 x 16, 8 x 8 elements a thread in
// four corners of 4 x 4, vectors of 16 bytes, A transposed on its way.
#include "bench.h"

constexpr int BM = 128, BN = 128, BK = 16, Threads = 256;

__global__ void __launch_bounds__(Threads)
sgemm(const float *__restrict__ A, const float *__restrict__ B,
      float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) float As[BK][BM];
  __shared__ __align__(16) float Bs[BK][BN];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;

  float acc[8][8] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = 0; i < BM * BK / 4; i += Threads) {
      int r = (tid + i) / (BK / 4), c = (tid + i) % (BK / 4) * 4;
      float4 v = *reinterpret_cast<const float4 *>(&A[(row + r) * K + k0 + c]);
      As[c + 0][r] = v.x;
      As[c + 1][r] = v.y;
      As[c + 2][r] = v.z;
      As[c + 3][r] = v.w;
    }
    for (int i = 0; i < BK * BN / 4; i += Threads) {
      int r = (tid + i) / (BN / 4), c = (tid + i) % (BN / 4) * 4;
      *reinterpret_cast<float4 *>(&Bs[r][c]) =
          *reinterpret_cast<const float4 *>(&B[(k0 + r) * N + col + c]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float4 a0 = *reinterpret_cast<float4 *>(&As[k][ty * 4]);
      float4 a1 = *reinterpret_cast<float4 *>(&As[k][64 + ty * 4]);
      float4 b0 = *reinterpret_cast<float4 *>(&Bs[k][tx * 4]);
      float4 b1 = *reinterpret_cast<float4 *>(&Bs[k][64 + tx * 4]);
      float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
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
