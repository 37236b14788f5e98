#include <cuda_runtime.h>
#include <no/such/header.h>

no_such::tensor host(no_such::tensor a) {
  return a.scaled_by(undeclared);
}

// Templates are still instantiated after the missing header.
template <int Tile>
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B,
                     float *__restrict__ C, int N) {
  __shared__ float As[Tile][Tile];
  __shared__ float Bs[Tile][Tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * Tile + ty, col = blockIdx.x * Tile + tx;
  float acc = 0.f;
  for (int k0 = 0; k0 < N; k0 += Tile) {
    As[ty][tx] = A[row * N + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = acc;
}

void launch(float *A, float *B, float *C, int N) {
  gemm<16><<<dim3(N / 16, N / 16), dim3(16, 16)>>>(A, B, C, N);
}
