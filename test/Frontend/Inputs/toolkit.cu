#include <cooperative_groups.h>
#include <cstdio>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <mma.h>

__global__ void scale(__half *A) {
  A[threadIdx.x] = __hadd(A[threadIdx.x], A[threadIdx.x]);
}

int main() {
  __half *A;
  cudaMalloc(&A, 64);
  scale<<<1, 32>>>(A);
  std::printf("%d\n", int(cudaDeviceSynchronize()));
}
