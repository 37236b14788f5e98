// Of what the launch asks for, one architecture has room for two stages.
__global__ void __launch_bounds__(256)
sums(const float *__restrict__ A, float *__restrict__ C, int K) {
  extern __shared__ float As[];
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 112 * 256) {
    for (int r = 0; r < 112; ++r)
      As[r * 256 + threadIdx.x] = A[k0 + r * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 112 * 256; ++k)
      sum += As[k];
    __syncthreads();
  }
  C[blockIdx.x * 256 + threadIdx.x] = sum;
}

void run(const float *A, float *C, int K) {
  cudaFuncSetAttribute(sums, cudaFuncAttributeMaxDynamicSharedMemorySize, 116000);
  sums<<<4, 256, 116000>>>(A, C, K);
}
