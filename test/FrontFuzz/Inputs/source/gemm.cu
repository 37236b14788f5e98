
constexpr int Tile = 16;

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
