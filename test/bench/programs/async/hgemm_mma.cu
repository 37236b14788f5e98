// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ../hgemm_mma.cu with __pipeline_memcpy_async, waited for at once: block tiles of 128 x 128 x 32, eight warps with
// 32 x 64 each, ldmatrix and mma.sync.m16n8k16 as inline PTX. PAD as in
// hgemm_wmma.cu.
#include "bench.h"
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

#ifndef PAD
#define PAD 8
#endif

constexpr int BM = 128, BN = 128, BK = 32, Threads = 256;

__device__ __forceinline__ unsigned shared_address(const void *p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/// Four 8 x 8 matrices; each lane names a row.
__device__ __forceinline__ void load_matrices(unsigned (&r)[4],
                                              const half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(shared_address(row))
               : "memory");
}

/// The same, each of them transposed.
__device__ __forceinline__ void load_transposed(unsigned (&r)[4],
                                                const half *row) {
  asm volatile(
      "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
      : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
      : "r"(shared_address(row))
      : "memory");
}

__device__ __forceinline__ void multiply_add(float (&d)[4],
                                             const unsigned (&a)[4],
                                             unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void __launch_bounds__(Threads, 2)
hgemm(const half *__restrict__ A, const half *__restrict__ B,
      float *__restrict__ C, int M, int N, int K) {
  __shared__ __align__(16) half As[BM][BK + PAD];
  __shared__ __align__(16) half Bs[BK][BN + PAD];
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  const int row = blockIdx.y * BM, col = blockIdx.x * BN;
  const int warp_row = warp / 2 * 32, warp_col = warp % 2 * 64;
  const int a_row = tid / (BK / 8), a_col = tid % (BK / 8) * 8;
  const int b_row = tid / (BN / 8), b_col = tid % (BN / 8) * 8;

  float acc[2][8][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    // Each thread brings two vectors of 16 bytes of each tile.
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      __pipeline_memcpy_async(&As[a_row + i * 64][a_col],
                              &A[(row + a_row + i * 64) * K + k0 + a_col], 16);
      __pipeline_memcpy_async(&Bs[b_row + i * 16][b_col],
                              &B[(k0 + b_row + i * 16) * N + col + b_col], 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k += 16) {
      unsigned a[2][4], b[4][4];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        load_matrices(a[i],
                      &As[warp_row + i * 16 + lane % 16][k + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < 4; ++j)
        load_transposed(b[j],
                        &Bs[k + lane % 16][warp_col + j * 16 + lane / 16 * 8]);
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
      float *c = &C[(row + warp_row + i * 16 + lane / 4) * N + col + warp_col +
                    j * 8 + lane % 4 * 2];
      *reinterpret_cast<float2 *>(c) = make_float2(acc[i][j][0], acc[i][j][1]);
      *reinterpret_cast<float2 *>(c + 8 * N) =
          make_float2(acc[i][j][2], acc[i][j][3]);
    }
}

int main() {
  const int n = bench::size(4096), k = bench::tiled(4096, BK);
  half *A = bench::random<half>(n * k, 1);
  half *B = bench::random<half>(k * n, 2);
  float *C = bench::output<float>(n * n);
  bench::run("hgemm_mma", [&] {
    hgemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n, k);
  });
  bench::report("C", C, n * n);
}
