#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
#define Rows 32
#define Small 4
#else
#define Rows 384
#define Small 56
#endif

// The same for all.
__global__ void __launch_bounds__(256)
same(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += As[k];
    __syncthreads();
  }
  C[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Larger tiles, of which there is room for one, where shared memory is larger.
__global__ void __launch_bounds__(32)
larger(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Rows][32];
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += Rows) {
    for (int r = 0; r < Rows; ++r)
      As[r][threadIdx.x] = A[(k0 + r) * 32 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < Rows; ++r)
      sum += As[r][31 - threadIdx.x];
    __syncthreads();
  }
  C[blockIdx.x * 32 + threadIdx.x] = sum;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
__global__ void __launch_bounds__(256)
newest(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[256];
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 256) {
    As[threadIdx.x] = A[k0 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k)
      sum += As[k];
    __syncthreads();
  }
  C[blockIdx.x * 256 + threadIdx.x] = sum;
}
#endif

// Two stages where tiles are small; a single buffer where they are large.
__global__ void __launch_bounds__(128)
staged(const float *__restrict__ A, float *__restrict__ C, int K) {
  __shared__ float As[Small][128];
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += Small) {
    for (int r = 0; r < Small; ++r)
      As[r][threadIdx.x] = A[(k0 + r) * 128 + threadIdx.x];
    __syncthreads();
    for (int r = 0; r < Small; ++r)
      sum += As[r][127 - threadIdx.x];
    __syncthreads();
  }
  C[blockIdx.x * 128 + threadIdx.x] = sum;
}
