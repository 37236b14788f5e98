// The barrier between reading a tile and loading the next one is missing.
__global__ void racy(const float *__restrict__ A, float *__restrict__ C,
                     int N) {
  __shared__ float As[256];
  float acc = 0.f;
  for (int k0 = 0; k0 < N; k0 += 256) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      acc += As[k];
  }
  C[threadIdx.x] = acc;
}
