// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, half to float: plain 16-byte copies to padded tiles, read by ldmatrix for
// mma.sync; 128 x 128 tiles with TILE_K columns, as the copy engine may bring them.
#include <cuda_fp16.h>

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load_matrices(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void load_transposed(unsigned (&r)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(row)
               : "memory");
}
__device__ __forceinline__ void multiply_add(float (&d)[4], const unsigned (&a)[4], unsigned b0,
                                             unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#ifndef TILE_K
#define TILE_K 64
#endif
constexpr int BM = 128, BN = 128, BK = TILE_K, Threads = 256;

__global__ void __launch_bounds__(Threads, 2)
    hgemm(const half *__restrict__ A, const half *__restrict__ B, float *__restrict__ C, int M,
          int N, int K) {
  __shared__ half As[BM][BK + 8];
  __shared__ half Bs[BK][BN + 8];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 64;
  const int a_row = tid / (BK / 8), a_col = tid % (BK / 8) * 8;
  const int b_row = tid / (BN / 8), b_col = tid % (BN / 8) * 8;

  float acc[2][8][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int i = 0; i < BK / 16; ++i) {
      *reinterpret_cast<uint4 *>(&As[a_row + i * (2048 / BK)][a_col]) =
          *reinterpret_cast<const uint4 *>(&A[(row + a_row + i * (2048 / BK)) * K + k0 + a_col]);
      *reinterpret_cast<uint4 *>(&Bs[b_row + i * 16][b_col]) =
          *reinterpret_cast<const uint4 *>(&B[(k0 + b_row + i * 16) * N + col + b_col]);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      unsigned a[2][4], b[4][4];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        load_matrices(a[i], shared_address(&As[warp_row + i * 16 + lane % 16][k + lane / 16 * 8]));
#pragma unroll
      for (int j = 0; j < 4; ++j)
        load_transposed(b[j],
                        shared_address(&Bs[k + lane % 16][warp_col + j * 16 + lane / 16 * 8]));
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          multiply_add(acc[i][2 * j], a[i], b[j][0], b[j][1]);
          multiply_add(acc[i][2 * j + 1], a[i], b[j][2], b[j][3]);
        }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      float *c = &C[(row + warp_row + i * 16 + lane / 4) * N + col + warp_col + j * 8 + lane % 4 * 2];
      *reinterpret_cast<float2 *>(c) = make_float2(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<float2 *>(c + 8 * N) = make_float2(acc[i][j][2], acc[i][j][3]);
    }
}

void launch_hgemm(const half *A, const half *B, float *C, int n) {
  hgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, n);
}
