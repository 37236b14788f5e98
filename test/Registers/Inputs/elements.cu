// Tiles that come element by element.
constexpr int BM = 64, BN = 64, BK = 16, T = 256;

__global__ void __launch_bounds__(T)
sgemm(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float As[BM][BK];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.x, row = blockIdx.y * BM, col = blockIdx.x * BN;
  float acc[16] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += T)
      As[i / BK][i % BK] = A[(row + i / BK) * K + k0 + i % BK];
    for (int i = tid; i < BK * BN; i += T)
      Bs[i / BN][i % BN] = B[(k0 + i / BN) * N + col + i % BN];
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 16; ++i)
        acc[i] += As[i * 4 + tid / 64][k] * Bs[k][tid % 64];
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i)
    C[(row + i * 4 + tid / 64) * N + col + tid % 64] = acc[i];
}

void run(const float *A, const float *B, float *C, int n) {
  sgemm<<<dim3(n / BN, n / BM), T>>>(A, B, C, n, n);
}
