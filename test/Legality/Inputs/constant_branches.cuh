// A kernel that any file may instantiate.
template <int Stages>
__global__ void of_header(const float *__restrict__ x, float *__restrict__ y,
                          int n) {
  __shared__ float xs[64];
  float sum = 0;
  for (int i = 0; i < n; i += 64) {
    if constexpr (Stages == 1) {
      xs[threadIdx.x] = x[i + threadIdx.x];
      __syncthreads();
    }
    sum += xs[threadIdx.x ^ 3];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
