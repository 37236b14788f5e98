// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B on FMA units, half, or bfloat16 with -DBF16, sums in float: block
// tiles of 64 x 64 x 32, 4 x 4 elements a thread, copied in eights.
#include "bench.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#ifdef BF16
using Element = __nv_bfloat16;
__device__ float number(Element e) { return __bfloat162float(e); }
#else
using Element = __half;
__device__ float number(Element e) { return __half2float(e); }
#endif

constexpr int BM = 64, BN = 64, BK = 32, TM = 4, TN = 4;
constexpr int Threads = (BM / TM) * (BN / TN);

__global__ void __launch_bounds__(Threads)
gemm(const Element *__restrict__ A, const Element *__restrict__ B,
     float *__restrict__ C, int N, int K) {
  __shared__ __align__(16) Element As[BM][BK];
  __shared__ __align__(16) Element Bs[BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % (BN / TN), ty = tid / (BN / TN);
  const int a_row = tid / 4, a_column = tid % 4 * 8;
  const int b_row = tid / 8, b_column = tid % 8 * 8;
  A += (blockIdx.y * BM + a_row) * K + a_column;
  B += b_row * N + blockIdx.x * BN + b_column;
  C += blockIdx.y * BM * N + blockIdx.x * BN;

  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    *reinterpret_cast<int4 *>(&As[a_row][a_column]) =
        *reinterpret_cast<const int4 *>(A + k0);
    *reinterpret_cast<int4 *>(&Bs[b_row][b_column]) =
        *reinterpret_cast<const int4 *>(B + k0 * N);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
      for (int i = 0; i < TM; ++i)
        a[i] = number(As[ty * TM + i][k]);
      for (int j = 0; j < TN; ++j)
        b[j] = number(Bs[k][tx * TN + j]);
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }

  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      C[(ty * TM + i) * N + tx * TN + j] = acc[i][j];
}

int main() {
  const int n = bench::size(4096);
  Element *A = bench::random<Element>(n * n, 1);
  Element *B = bench::random<Element>(n * n, 2);
  float *C = bench::output<float>(n * n);
  bench::run("gemm_16bit", [&] {
    gemm<<<dim3(n / BN, n / BM), Threads>>>(A, B, C, n, n);
  });
  bench::report("C", C, n * n);
}
