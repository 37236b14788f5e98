// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B^T, bf16 to float: block tiles of 64 x 128 x 32, four warps with 32 x 64
// each, mma.sync.m16n8k16 on fragments read in words of 32 bits.
#include "bench.h"
#include <cuda_bf16.h>

typedef __nv_bfloat16 bf16;

static constexpr int BLOCK_M = 64, BLOCK_N = 128, BLOCK_K = 32, LD = BLOCK_K + 8;

__device__ __forceinline__ uint32_t pair(const bf16 *p) {
  return *reinterpret_cast<const uint32_t *>(p);
}

__device__ __forceinline__ void mma_bf16(float *d, const uint32_t *a, const uint32_t *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__global__ void __launch_bounds__(128)
gemm_bf16(const bf16 *__restrict__ A, const bf16 *__restrict__ B, float *__restrict__ C,
          int N, int K) {
  __shared__ __align__(16) bf16 smem_a[BLOCK_M * LD];
  __shared__ __align__(16) bf16 smem_b[BLOCK_N * LD];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int wm = (warp >> 1) * 32, wn = (warp & 1) * 64;
  const int group = lane >> 2, quad = (lane & 3) * 2;
  const int lr = threadIdx.x >> 2, lc = (threadIdx.x & 3) << 3;
  const bf16 *gA = A + size_t(blockIdx.y * BLOCK_M + lr) * K + lc;
  const bf16 *gB = B + size_t(blockIdx.x * BLOCK_N + lr) * K + lc;

  float acc[2][8][4] = {};
  const int tiles = K / BLOCK_K;
  for (int t = 0; t < tiles; ++t) {
#pragma unroll
    for (int i = 0; i < BLOCK_M; i += 32)
      *(uint4 *)(smem_a + (lr + i) * LD + lc) = __ldg((const uint4 *)(gA + size_t(i) * K));
#pragma unroll
    for (int i = 0; i < BLOCK_N; i += 32)
      *(uint4 *)(smem_b + (lr + i) * LD + lc) = __ldg((const uint4 *)(gB + size_t(i) * K));
    gA += BLOCK_K;
    gB += BLOCK_K;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < BLOCK_K; k += 16) {
      uint32_t a[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const bf16 *p = smem_a + (wm + i * 16 + group) * LD + k + quad;
        a[i][0] = pair(p);
        a[i][1] = pair(p + 8 * LD);
        a[i][2] = pair(p + 8);
        a[i][3] = pair(p + 8 * LD + 8);
      }
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        const bf16 *p = smem_b + (wn + j * 8 + group) * LD + k + quad;
        const uint32_t b[2] = {pair(p), pair(p + 8)};
        mma_bf16(acc[0][j], a[0], b);
        mma_bf16(acc[1][j], a[1], b);
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 2; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const size_t row = blockIdx.y * BLOCK_M + wm + i * 16 + group;
      const int col = blockIdx.x * BLOCK_N + wn + j * 8 + quad;
      *(float2 *)(C + row * N + col) = make_float2(acc[i][j][0], acc[i][j][1]);
      *(float2 *)(C + (row + 8) * N + col) = make_float2(acc[i][j][2], acc[i][j][3]);
    }
}

int main() {
  const int m = bench::size(2048), n = bench::size(4096), k = bench::tiled(4096, BLOCK_K);
  bf16 *A = bench::random<bf16>(size_t(m) * (k + 8), 1);
  bf16 *B = bench::random<bf16>(size_t(n) * (k + 8), 2);
  float *C = bench::output<float>(size_t(m) * n);
  bench::run("bf16_mma", [&] {
    gemm_bf16<<<dim3(n / BLOCK_N, m / BLOCK_M), 128>>>(A, B, C, n, k);
  });
  bench::report("C", C, size_t(m) * n);
}
