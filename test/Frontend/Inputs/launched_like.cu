// CUDA's own headers launch a function that they call `func`.
__global__ void func(float *sums, const float *a, int n) {
  extern __shared__ float tile[];
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    tile[threadIdx.x] = a[i * 32 + threadIdx.x];
    __syncthreads();
    sum += tile[31 - threadIdx.x];
    __syncthreads();
  }
  sums[threadIdx.x] = sum;
}

void go(float *sums, const float *a) { func<<<1, 32, 128>>>(sums, a, 3); }
