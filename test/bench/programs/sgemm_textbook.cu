// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, float: one element of C a thread, tiles of 32 x 32, copies of four
// bytes. The kernel of every textbook.
#include "bench.h"

constexpr int T = 32;

__global__ void sgemm(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

int main() {
  const int n = bench::size(4096);
  float *A = bench::random<float>(n * n, 1);
  float *B = bench::random<float>(n * n, 2);
  float *C = bench::output<float>(n * n);
  bench::run("sgemm_textbook", [&] {
    sgemm<<<dim3(n / T, n / T), dim3(T, T)>>>(A, B, C, n, n, n);
  });
  bench::report("C", C, n * n);
}
