constexpr int BM = 16, BK = 16;
__device__ void load_tiles(const float *A, float *As, int K, int k0) {
  As[threadIdx.y * BK + threadIdx.x] = A[threadIdx.y * K + k0 + threadIdx.x];
}
template <int Depth>
__device__ __forceinline__ void multiply(const float (&As)[BM * BK],
                                         float &acc) {
  for (int k = 0; k < Depth; ++k)
    acc += As[threadIdx.y * BK + k];
}
// kpipe: assume(no-alias)
__global__ void __launch_bounds__(BM *BK)
helpers(const float *A, float *C, int K) {
  __shared__ float As[BM * BK];
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    load_tiles(A, As, K, k0);
    __syncthreads();
    multiply<BK>(As, acc);
    __syncthreads();
  }
  C[threadIdx.x] = acc;
}
