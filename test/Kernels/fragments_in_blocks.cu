// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments that are loaded from a staged block, or stored to it behind the
// loop, hold values and never its address.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s
// RUN: %kpipe rewrite --dry-run --arch=sm_86 %s 2> %t.err
// RUN: not grep 'not pipelined' %t.err
// RUN: grep -c ': remark: pipelined .* [23] stages' %t.err | grep -x 2

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;
constexpr int BM = 32, BN = 32, BK = 16, LDC = BN + 4;

// C goes through the block that held the tiles, as another type.
__global__ void __launch_bounds__(128)
through_the_block(const half *__restrict__ A, const half *__restrict__ B,
                  float *__restrict__ C, int N, int K) {
  extern __shared__ __align__(32) unsigned char block[];
  half *As = reinterpret_cast<half *>(block), *Bs = As + BM * BK;
  float *Cs = reinterpret_cast<float *>(block);
  const int t = threadIdx.x, wm = t / 64 * 16, wn = t / 32 % 2 * 16;
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += BK) {
    *reinterpret_cast<uint2 *>(As + 4 * t) =
        *reinterpret_cast<const uint2 *>(A + t / 4 * K + k0 + t % 4 * 4);
    *reinterpret_cast<uint2 *>(Bs + 4 * t) =
        *reinterpret_cast<const uint2 *>(B + (k0 + t / 8) * N + t % 8 * 4);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::load_matrix_sync(a, As + wm * BK, BK);
    wmma::load_matrix_sync(b, Bs + wn, BN);
    wmma::mma_sync(acc, a, b, acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(Cs + wm * LDC + wn, acc, LDC, wmma::mem_row_major);
  __syncthreads();
  for (int i = t; i < BM * BN; i += 128)
    C[(blockIdx.y * BM + i / BN) * N + blockIdx.x * BN + i % BN] =
        Cs[i / BN * LDC + i % BN] * 0.5f;
}

// Rows that are no multiple of 1024 bytes in all, and fragments whose elements
// are changed one by one.
__global__ void __launch_bounds__(128)
by_element(const half *__restrict__ A, const half *__restrict__ B,
           float *__restrict__ C, int N, int K) {
  __shared__ __align__(32) half As[BM][BK + 8], Bs[BK][BN + 8];
  const int t = threadIdx.x, wm = t / 64 * 16, wn = t / 32 % 2 * 16;

  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int k0 = 0; k0 < K; k0 += BK) {
    *reinterpret_cast<uint2 *>(&As[t / 4][t % 4 * 4]) =
        *reinterpret_cast<const uint2 *>(A + t / 4 * K + k0 + t % 4 * 4);
    *reinterpret_cast<uint2 *>(&Bs[t / 8][t % 8 * 4]) =
        *reinterpret_cast<const uint2 *>(B + (k0 + t / 8) * N + t % 8 * 4);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[1];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[1];
    wmma::load_matrix_sync(a[0], &As[wm][0], BK + 8);
    for (int e = 0; e < a[0].num_elements; ++e)
      a[0].x[e] = a[0].x[e] * __float2half(0.5f);
    wmma::load_matrix_sync(b[0], &Bs[0][wn], BN + 8);
    wmma::mma_sync(acc, a[0], b[0], acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(C + wm * N + wn, acc, N, wmma::mem_row_major);
}

void run(const half *A, const half *B, float *C, int N, int K) {
  through_the_block<<<dim3(N / BN, 1), 128, BM * LDC * 4>>>(A, B, C, N, K);
  by_element<<<1, 128>>>(A, B, C, N, K);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(through_the_block) {
  for (int k : multiples(BK)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", k * 64);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(2, 1), dim3(128), BM * LDC * 4}, through_the_block, a, b, c, 64, k);
  }
}
CASE(by_element) {
  for (int k : multiples(BK)) {
    auto a = in<half>("A", 32 * k), b = in<half>("B", k * 64);
    auto c = out<float>("C", 32 * 64);
    launch({dim3(1), dim3(128)}, by_element, a, b, c, 64, k);
  }
}
#endif
