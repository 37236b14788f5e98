template <int Tile = 16>
__global__ void with_defaults(const float *__restrict__ A,
                              float *__restrict__ C, int N) {
  __shared__ float As[Tile];
  float acc = 0.f;
  for (int k0 = 0; k0 < N; k0 += Tile) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}

namespace nested {
template <int Tile, typename T>
__global__ void without(const T *__restrict__ A, T *__restrict__ C, int N) {
  __shared__ T As[Tile];
  T acc = 0;
  for (int k0 = 0; k0 < N; k0 += Tile) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      acc += As[k];
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
} // namespace nested
