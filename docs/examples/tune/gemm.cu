// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for `kpipe tune`: it prints what it computed, and with
// <kpipe/timing.h> how long the kernel took.
#include <cstdio>
#include <kpipe/timing.h>
#include <vector>

constexpr int Tile = 32;

__global__ void gemm(const float *A, const float *B, float *C, int n) {
  __shared__ float As[Tile][Tile];
  __shared__ float Bs[Tile][Tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * Tile + ty, col = blockIdx.x * Tile + tx;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += Tile) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + col] = sum;
}

int main() {
  const int n = 2048;
  std::vector<float> host(n * n);
  for (int i = 0; i < n * n; ++i)
    host[i] = i * 7919 % 1000 / 500.0f - 1;
  float *A, *B, *C;
  cudaMalloc(&A, n * n * sizeof(float));
  cudaMalloc(&B, n * n * sizeof(float));
  cudaMalloc(&C, n * n * sizeof(float));
  cudaMemcpy(A, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(B, host.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  for (int i = 0; i < 10; ++i)
    kpipe::timed("gemm", [&] {
      gemm<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile)>>>(A, B, C, n);
    });
  cudaMemcpy(host.data(), C, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (float value : host)
    sum += value;
  std::printf("sum %.17g\n", sum);
}
