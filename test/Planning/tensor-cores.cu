// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What feeds tensor cores: three stages for large tiles and for few operations
// per byte, a loop that computes the last tiles too for small ones, and one
// form for all instantiations.
//
// DEFINE: %{sizes} =
// DEFINE: %{options} = --allow-occupancy-drop --pad=never
// DEFINE: %{plan} = %kpipe analyze %s --arch=sm_90 %{sizes} %{options} --dump=plan
//
// REDEFINE: %{sizes} = --instantiate='product<64,64,1>'
// RUN: %{plan} | FileCheck %s --check-prefix=FEW
// FEW: plan 3 stages, 0 staged registers, guarded
// FEW: compute/load 32.00
// FEW: reason: one more tile in flight, as tensor cores wait for tiles of 8192 bytes
// FEW: reason: guarded, which tensor cores prefer for tiles of 8192 bytes
//
// REDEFINE: %{sizes} = --instantiate='product<64,64,4>'
// RUN: %{plan} | FileCheck %s --check-prefix=MANY
// MANY: plan 2 stages, 0 staged registers, guarded
// MANY: compute/load 128.00
//
// REDEFINE: %{sizes} = --instantiate='product<128,128,4>'
// RUN: %{plan} | FileCheck %s --check-prefix=LARGE
// LARGE: plan 3 stages, 0 staged registers, peeled
// LARGE: compute/load 256.00
//
// One text for two sizes: what both can have.
// REDEFINE: %{sizes} = --instantiate='product<64,64,4>' --instantiate='product<128,128,4>'
// RUN: %{plan} | FileCheck %s --check-prefix=BOTH
// BOTH: plan 2 stages, 0 staged registers, peeled
//
// What is asked goes before it, and copies through registers want none of it.
// REDEFINE: %{sizes} = --instantiate='product<64,64,1>'
// REDEFINE: %{options} = --pad=never --schedule=peeled --stages=2
// RUN: %{plan} | FileCheck %s --check-prefix=ASKED
// ASKED: plan 2 stages, 0 staged registers, peeled
// REDEFINE: %{options} = --pad=never --variant=ldg
// RUN: %{plan} | FileCheck %s --check-prefix=LDG
// LDG: plan 2 stages, 16 staged registers, peeled
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

// C += A * B for a block tile of M x N x 32, by four warps, a quarter of the
// rows each. Twice the work for the same bytes where Repeat is 2.
template <int M, int N, int Repeat>
__global__ void __launch_bounds__(128)
product(const half *A, const half *B, float *C, int K) {
  __shared__ __align__(128) half As[M][32];
  __shared__ __align__(128) half Bs[32][N];
  const int t = threadIdx.x, warp = t / 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[N / 16];
  for (int j = 0; j < N / 16; ++j)
    wmma::fill_fragment(c[j], 0);
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int i = t; i < M * 4; i += 128)
      *reinterpret_cast<uint4 *>(&As[i / 4][i % 4 * 8]) =
          *reinterpret_cast<const uint4 *>(&A[i / 4 * K + k0 + i % 4 * 8]);
    for (int i = t; i < N * 4; i += 128)
      *reinterpret_cast<uint4 *>(&Bs[i / (N / 8)][i % (N / 8) * 8]) =
          *reinterpret_cast<const uint4 *>(
              &B[(k0 + i / (N / 8)) * N + i % (N / 8) * 8]);
    __syncthreads();
    for (int again = 0; again < Repeat; ++again)
      for (int m = warp * 16; m < M; m += 64)
        for (int k = 0; k < 32; k += 16) {
          wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
          wmma::load_matrix_sync(a, &As[m][k], 32);
          for (int j = 0; j < N / 16; ++j) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
            wmma::load_matrix_sync(b, &Bs[k][j * 16], N);
            wmma::mma_sync(c[j], a, b, c[j]);
          }
        }
    __syncthreads();
  }
  for (int j = 0; j < N / 16; ++j)
    wmma::store_matrix_sync(&C[warp * 16 * N + j * 16], c[j], N,
                            wmma::mem_row_major);
}
