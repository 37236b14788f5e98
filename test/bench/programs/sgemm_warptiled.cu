// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, float: block tiles of 128 x 128 x 16, four warps with tiles of
// 64 x 64, 16 x 8 elements a thread, vectors of 16 bytes, A transposed.
#include "bench.h"

constexpr int BM = 128, BN = 128, BK = 16, WM = 64, WN = 64;
constexpr int TM = 16, TN = 8, Threads = 128;

/// Two pointers into A and B walk along K; a thread's rows lie 16 apart.
__global__ void __launch_bounds__(Threads)
sgemm(const float *__restrict__ A, const float *__restrict__ B,
      float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) float As[BK * BM];
  __shared__ __align__(16) float Bs[BK * BN];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int warp_row = warp / 2 * WM, warp_col = warp % 2 * WN;
  const int lane_row = lane / 8 * 4, lane_col = lane % 8 * 4;
  const int a_row = threadIdx.x / (BK / 4), a_col = threadIdx.x % (BK / 4) * 4;
  const int b_row = threadIdx.x / (BN / 4), b_col = threadIdx.x % (BN / 4) * 4;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warp_row) * N + blockIdx.x * BN + warp_col;

  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int r = 0; r < BM; r += Threads / (BK / 4)) {
      const float4 v =
          *reinterpret_cast<const float4 *>(&A[(a_row + r) * K + a_col]);
      As[(a_col + 0) * BM + a_row + r] = v.x;
      As[(a_col + 1) * BM + a_row + r] = v.y;
      As[(a_col + 2) * BM + a_row + r] = v.z;
      As[(a_col + 3) * BM + a_row + r] = v.w;
    }
    for (int r = 0; r < BK; r += Threads / (BN / 4))
      *reinterpret_cast<float4 *>(&Bs[(b_row + r) * BN + b_col]) =
          *reinterpret_cast<const float4 *>(&B[(b_row + r) * N + b_col]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i)
        a[i] = As[k * BM + warp_row + i / 4 * 16 + lane_row + i % 4];
#pragma unroll
      for (int j = 0; j < TN; ++j)
        b[j] = Bs[k * BN + warp_col + j / 4 * 32 + lane_col + j % 4];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[i] * b[j];
    }
    A += BK;
    B += BK * N;
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j)
      C[(i / 4 * 16 + lane_row + i % 4) * N + j / 4 * 32 + lane_col + j % 4] =
          acc[i][j];
}

int main() {
  const int n = bench::size(4096);
  float *A = bench::random<float>(n * n, 1);
  float *B = bench::random<float>(n * n, 2);
  float *C = bench::output<float>(n * n);
  bench::run("sgemm_warptiled", [&] {
    sgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, n);
  });
  bench::report("C", C, n * n);
}
