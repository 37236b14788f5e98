// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "matmul.cuh"
#include <cstdio>
#include <vector>

int main() {
  constexpr int n = 16 * Tile;
  std::vector<float> host(n * n);
  for (int i = 0; i < n * n; ++i)
    host[i] = float(i % 7) - 3.0f;
  float *a, *c;
  if (cudaMalloc(&a, sizeof(float) * n * n) != cudaSuccess ||
      cudaMalloc(&c, sizeof(float) * n * n) != cudaSuccess) {
    std::puts("no GPU");
    return 1;
  }
  cudaMemcpy(a, host.data(), sizeof(float) * n * n, cudaMemcpyHostToDevice);
  matmul(a, a, c, n);
  cudaMemcpy(host.data(), c, sizeof(float) * n * n, cudaMemcpyDeviceToHost);
  std::printf("%g %s\n", host[n + 1], cudaGetErrorString(cudaGetLastError()));
}
