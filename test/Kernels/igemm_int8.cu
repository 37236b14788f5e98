// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 products: dp4a on 4-byte packets, and wmma on signed char tiles.
// REQUIRES: executor
// RUN: %variants --at-least=2 %s

#include <mma.h>

using namespace nvcuda;
constexpr int T = 16;

// A and BT hold rows of K bytes; a packet is four of them.
__global__ void __launch_bounds__(T *T)
igemm_dp4a(const char4 *A, const char4 *BT, int *C, int N, int K4) {
  __shared__ char4 As[T][T];
  __shared__ char4 Bs[T][T + 1];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  int sum = 0;
  for (int k0 = 0; k0 < K4; k0 += T) {
    As[ty][tx] = A[row * K4 + k0 + tx];
    Bs[ty][tx] = BT[(blockIdx.x * T + ty) * K4 + k0 + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum = __dp4a(*reinterpret_cast<int *>(&As[ty][k]),
                   *reinterpret_cast<int *>(&Bs[tx][k]), sum);
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// One warp, one 16x16 tile.
__global__ void __launch_bounds__(32)
igemm_wmma(const signed char *A, const signed char *B, int *C, int N, int K) {
  __shared__ __align__(32) signed char As[16 * 16];
  __shared__ __align__(32) signed char Bs[16 * 16];
  int lane = threadIdx.x, r = lane / 2, c = lane % 2 * 8;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc;
  wmma::fill_fragment(acc, 0);
  for (int k0 = 0; k0 < K; k0 += 16) {
    *(int2 *)&As[r * 16 + c] = *(const int2 *)&A[r * K + k0 + c];
    *(int2 *)&Bs[r * 16 + c] =
        *(const int2 *)&B[(k0 + r) * N + blockIdx.x * 16 + c];
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b;
    wmma::load_matrix_sync(a, As, 16);
    wmma::load_matrix_sync(b, Bs, 16);
    wmma::mma_sync(acc, a, b, acc);
    __syncthreads();
  }
  wmma::store_matrix_sync(C + blockIdx.x * 16, acc, N, wmma::mem_row_major);
}

#ifdef KPIPE_HARNESS
#include "harness.h"
CASE(igemm_dp4a) {
  for (int k : multiples(T)) {
    auto a = in<signed char>("A", 16 * 4 * k), b = in<signed char>("B", 32 * 4 * k);
    auto c = out<int>("C", 16 * 32);
    launch({dim3(2, 1), dim3(T, T)}, igemm_dp4a, a.as<char4>(), b.as<char4>(), c,
           32, k);
  }
}
CASE(igemm_wmma) {
  for (int k : multiples(16)) {
    auto a = in<signed char>("A", 16 * k), b = in<signed char>("B", k * 32);
    auto c = out<int>("C", 16 * 32);
    launch({2, 32}, igemm_wmma, a, b, c, 32, k);
  }
}
#endif
